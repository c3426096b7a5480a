import { catalogue } from '../../../ground/errors/catalogue.ts'

/** The errors of identities of a provider (auth §13, §14). */
export const identityError = catalogue({
  'email_exists/400': {
    status: 400,
    message: 'A user with this email address has already been registered',
    hint: 'Use another account of the provider.',
  },
  identity_already_exists: {
    status: 422,
    message: 'Identity is already linked',
    hint: 'Use another account of the provider.',
  },
  provider_email_needs_verification: {
    status: 422,
    message: 'Unverified email with the provider',
    hint: 'Confirm the address first.',
  },
})

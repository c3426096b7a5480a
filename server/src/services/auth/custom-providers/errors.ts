import { catalogue } from '../../../ground/errors/catalogue.ts'

/** The errors of the administration of custom providers (auth §18). */
export const customProviderError = catalogue({
  custom_provider_not_found: { status: 404, message: 'Custom OAuth provider not found', hint: 'Check the identifier.' },
  'conflict/400': {
    status: 400,
    message: 'A custom OAuth provider with this identifier already exists',
    hint: 'Use another identifier.',
  },
  over_custom_provider_quota: {
    status: 400,
    message: 'Maximum number of custom OAuth/OIDC providers reached',
    hint: 'Remove one, or raise the limit.',
  },
})

import { catalogue } from '../../ground/errors/catalogue.ts'

/** The errors of the instance's own secrets in the console. */
export const secretsError = catalogue({
  CLEW_SECRETS_PINNED: {
    status: 409,
    message: 'This secret is not made here.',
    hint: 'Those of local mode are the published ones; one that a setting has is changed there.',
  },
  CLEW_SECRETS_NOT_FOUND: {
    status: 404,
    message: 'There is no such earlier token.',
    hint: 'It may have been revoked: reload the page. The token that counts now is rotated before it is revoked.',
  },
})

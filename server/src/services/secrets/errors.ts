import { catalogue } from '../../ground/errors/catalogue.ts'

/** The errors of the instance's own secrets in the console. */
export const secretsError = catalogue({
  CLEW_SECRETS_PINNED: {
    status: 409,
    message: 'This secret is not made here.',
    hint: 'Those of local mode are the published ones; one that a setting has is changed there.',
  },
  CLEW_SECRETS_ROOT_KEY_NEEDED: {
    status: 409,
    message: 'Something is still kept under this root key.',
    hint: 'Wait until its owners have used it, or retire the key with an end of it: operators sign in with new passwords, tokens are made anew.',
  },
  CLEW_SECRETS_NOT_FOUND: {
    status: 404,
    message: 'There is no such earlier token.',
    hint: 'It may have been revoked: reload the page. The token that counts now is rotated before it is revoked.',
  },
})

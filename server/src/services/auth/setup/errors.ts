import { catalogue } from '../../../ground/errors/catalogue.ts'

/** The errors of the set-up of sign-in in the console. */
export const setupError = catalogue({
  CLEW_AUTH_SETTING_NOT_FOUND: {
    status: 404,
    message: 'There is no such setting of sign-in.',
    hint: 'The list of settings has their names.',
  },
  CLEW_AUTH_SETTING_PINNED: {
    status: 409,
    message: 'The console does not change this setting.',
    hint: 'Where it is said is told beside it: change it there.',
  },
  CLEW_AUTH_SETTING_VALUE: {
    status: 400,
    message: 'The setting does not allow this value.',
    hint: 'Details say what is allowed.',
  },
  CLEW_AUTH_SETTING_CHANGED: {
    status: 409,
    message: 'The setting was changed meanwhile.',
    hint: 'Look at what it is now, and save again if yours is to replace it.',
  },
  CLEW_AUTH_SETTING_FILE: {
    status: 409,
    message: 'clew.toml could not be written.',
    hint: 'Details say why: change the line by hand.',
  },
  CLEW_AUTH_KEY_PINNED: {
    status: 409,
    message: 'This key is not made here.',
    hint: 'Keys of local mode are the published ones; one that a setting has is changed there.',
  },
  CLEW_AUTH_KEY_NOT_FOUND: {
    status: 404,
    message: 'There is no such earlier key.',
    hint: 'It may have been revoked: reload the page. The key that counts now is rotated before it is revoked.',
  },
})

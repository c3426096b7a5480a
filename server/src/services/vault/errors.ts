import { catalogue } from '../../ground/errors/catalogue.ts'

/** The errors of the console's vault. */
export const vaultError = catalogue({
  CLEW_VAULT_NOT_FOUND: {
    status: 404,
    message: 'There is no such secret.',
    hint: 'It may have been deleted: reload the list.',
  },
  CLEW_VAULT_NAME_TAKEN: {
    status: 409,
    message: 'Another secret has this name.',
    hint: 'Choose another name, or change that secret.',
  },
  CLEW_VAULT_REFUSED: {
    status: 409,
    message: 'PostgreSQL refused.',
    hint: 'Its message says why; the console acts as `postgres`.',
  },
})

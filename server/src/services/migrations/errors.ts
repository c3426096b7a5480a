import { catalogue } from '../../ground/errors/catalogue.ts'

/** The errors of the console's migrations. */
export const migrationsError = catalogue({
  CLEW_MIGRATIONS_NOT_FOUND: {
    status: 404,
    message: 'There is no migration of this version.',
    hint: 'Its file may have been removed: reload the list.',
  },
})

import { catalogue } from '../../ground/errors/catalogue.ts'

/** The errors of the console's schema screens. */
export const schemaError = catalogue({
  CLEW_SCHEMA_NOT_FOUND: {
    status: 404,
    message: 'There is no such object.',
    hint: 'It may have been renamed or dropped: reload the list.',
  },
  CLEW_SCHEMA_TEXT: {
    status: 400,
    message: 'A part of the change is more than one expression.',
    hint: 'Write one expression, type or statement, without a semicolon behind it.',
  },
  CLEW_SCHEMA_REFUSED: {
    status: 409,
    message: 'PostgreSQL refused the change, and nothing is changed.',
    hint: 'The message is its own. Correct the change and try again.',
  },
  CLEW_SCHEMA_LOCKED: {
    status: 409,
    message: 'The table is in use, and nothing is changed.',
    hint: 'Another transaction held it for longer than lock_seconds of [schema]: try again, or find who holds it with `clew inspect db locks`.',
  },
  CLEW_SCHEMA_DEPENDENTS: {
    status: 409,
    message: 'Other objects depend on it, and nothing is changed.',
    hint: 'Drop them first, or drop them along.',
  },
  CLEW_SCHEMA_ALONE: {
    status: 400,
    message: 'An index that is built beside writes cannot be made together with other changes.',
    hint: 'Make it by itself: it is built outside of a transaction.',
  },
  CLEW_SCHEMA_BUILDING: {
    status: 409,
    message: 'Another index is being built beside writes.',
    hint: 'Wait until it is done: the indexes of its table show how far it is.',
  },
  CLEW_SCHEMA_PENDING: {
    status: 409,
    message: 'The project folder has migrations that are not applied.',
    hint: 'Apply them with `clew migration up`: behind a newer one they would be refused.',
  },
})

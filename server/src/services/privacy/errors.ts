import { catalogue } from '../../ground/errors/catalogue.ts'

/** The errors of masks in the console. */
export const privacyError = catalogue({
  CLEW_PRIVACY_NOT_FOUND: {
    status: 404,
    message: 'There is no such mask.',
    hint: 'It may have been removed: reload the page.',
  },
  CLEW_PRIVACY_COLUMN_NOT_FOUND: {
    status: 404,
    message: 'There is no such column.',
    hint: 'Name schema, table and column as the database has them. Columns of a view are masked in its table.',
  },
  CLEW_PRIVACY_KEY_COLUMN: {
    status: 409,
    message: 'The column is part of what tells the rows of its table apart, by which their history is found.',
    hint: 'Give the table a primary key without personal data, then mask the column; or name it in secret_columns of [thread], for what is stored from then on.',
  },
  CLEW_PRIVACY_NOT_KEPT: {
    status: 409,
    message: 'Nothing is kept of this column: there is nothing to mask.',
    hint: 'Tables of Clew, of the vault and of the system are in no history.',
  },
  CLEW_PRIVACY_RESERVED_PROPERTY: {
    status: 409,
    message: 'The product itself needs this property: it tells events, sessions, people or errors apart.',
    hint: 'Keep it from being captured in the application, or turn off what captures it.',
  },
  CLEW_PRIVACY_MASKED_ALREADY: {
    status: 409,
    message: 'This is masked already.',
    hint: 'Nothing is to be done.',
  },
  CLEW_PRIVACY_TOO_MANY: {
    status: 409,
    message: 'There are as many masks as the settings allow.',
    hint: 'Remove some, or raise max_masks of [privacy].',
  },
})

import { catalogue } from '../../ground/errors/catalogue.ts'

/** The errors of masks and of erasures in the console. */
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
  CLEW_PRIVACY_PERSON_NOT_FOUND: {
    status: 404,
    message: 'There is no such person.',
    hint: 'Neither analytics nor auth know the id: the person may have been erased, or joined with another.',
  },
  CLEW_PRIVACY_ROWS_NOT_FOUND: {
    status: 409,
    message: 'No foreign key of the database has these rows, or their column may not be empty.',
    hint: 'Tables may have changed: look at the preview again, and choose among what it lists.',
  },
  CLEW_PRIVACY_ACCOUNT_REFUSED: {
    status: 409,
    message: 'The database does not let the account go.',
    hint: 'Other rows refer to the account, or a trigger refuses. Choose what becomes of these rows, or delete them first.',
  },
  CLEW_PRIVACY_HELD: {
    status: 409,
    message: 'A legal hold keeps data of this person.',
    hint: 'An owner ends the hold under Settings → Disk when its reason is gone; then erase the person.',
  },
  CLEW_PRIVACY_ERASURE_OPEN: {
    status: 409,
    message: 'This person is being erased already.',
    hint: 'Wait until it is done: the list of erasures shows how far it is.',
  },
  CLEW_PRIVACY_ERASURE_NOT_FOUND: {
    status: 404,
    message: 'There is no such erasure.',
    hint: 'Open the list of erasures.',
  },
  CLEW_PRIVACY_NOT_DONE: {
    status: 409,
    message: 'The erasure is not done: there is no certificate of it yet.',
    hint: 'Wait until it is done.',
  },
  CLEW_PRIVACY_TOO_MANY: {
    status: 409,
    message: 'There are as many masks as the settings allow.',
    hint: 'Remove some, or raise max_masks of [privacy].',
  },
})

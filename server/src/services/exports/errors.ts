import { catalogue } from '../../ground/errors/catalogue.ts'

/** The errors of scheduled exports in the console. */
export const exportsError = catalogue({
  CLEW_EXPORTS_NOT_FOUND: {
    status: 404,
    message: 'There is no such export.',
    hint: 'It may have been removed: reload the page.',
  },
  CLEW_EXPORTS_CHANGED: {
    status: 409,
    message: 'The export was changed meanwhile.',
    hint: 'Look at what it is now, and save again what you want of yours.',
  },
  CLEW_EXPORTS_NAME_TAKEN: {
    status: 409,
    message: 'Another export has this name.',
    hint: 'Choose another one.',
  },
  CLEW_EXPORTS_TOO_MANY: {
    status: 409,
    message: 'There are as many exports as the settings allow.',
    hint: 'Remove some, or raise max_exports of [exports].',
  },
  CLEW_EXPORTS_SCHEDULE: {
    status: 400,
    message: 'This is not a schedule of exports.',
    hint: 'Five fields as in cron, in UTC: 0 * * * * is every hour, 30 3 * * * every day at 03:30.',
  },
  CLEW_EXPORTS_ENDPOINT: {
    status: 400,
    message: 'This address may not be called.',
    hint: 'Give the http or https address of an S3 server. Private networks are named in allowed_hosts of [net].',
  },
  CLEW_EXPORTS_SECRET_NEEDED: {
    status: 400,
    message: 'The secret of the access key is missing.',
    hint: 'Give the access key and its secret: a kept secret is used for the server and the access key that it was given for.',
  },
  CLEW_EXPORTS_FORMAT: {
    status: 400,
    message: 'Persons are exported as JSON Lines where ClickHouse is a server of your own.',
    hint: 'Choose JSON Lines, or leave out persons.',
  },
  CLEW_EXPORTS_PAUSED: {
    status: 409,
    message: 'The export is paused.',
    hint: 'Resume it first.',
  },
})

import { catalogue } from '../../../ground/errors/catalogue.ts'

/** The errors of what operators do with realtime in the console. */
export const realtimeConsoleError = catalogue({
  CLEW_REALTIME_USER_NOT_FOUND: {
    status: 404,
    message: 'There is no such user.',
    hint: 'Name a user by e-mail address or id.',
  },
  CLEW_REALTIME_NO_TEMPLATE: {
    status: 404,
    message: 'There is no such template.',
    hint: 'Reload the page: the templates may be others by now.',
  },
  CLEW_REALTIME_NO_POLICY: {
    status: 404,
    message: 'There is no such policy.',
    hint: 'It may have been dropped meanwhile: reload the page.',
  },
  CLEW_REALTIME_POLICY_EXISTS: {
    status: 409,
    message: 'A policy of this name is there already.',
    hint: 'Drop it first, or name another topic.',
  },
  CLEW_REALTIME_POLICY_REFUSED: {
    status: 409,
    message: 'The database does not let the application’s owner change policies of realtime.messages.',
    hint: 'Run the SQL as the owner of that table.',
  },
})

import { catalogue } from '../../ground/errors/catalogue.ts'

/** The errors of the console's webhooks and requests from SQL. */
export const netError = catalogue({
  CLEW_NET_NOT_HERE: {
    status: 404,
    message: 'Webhooks are not sent by Clew on this database.',
    hint: 'An external server has its own pg_net; an own schema `supabase_functions` takes the place of Clew’s.',
  },
  CLEW_NET_DELIVERY_NOT_FOUND: {
    status: 404,
    message: 'There is no such delivery.',
    hint: 'Finished deliveries are deleted after delivery_days of [net].',
  },
  CLEW_NET_REQUEST_NOT_FOUND: {
    status: 404,
    message: 'There is no such request.',
    hint: 'Requests that were sent are deleted after delivery_days of [net].',
  },
  CLEW_NET_NOT_SENT_AGAIN: {
    status: 409,
    message: 'This delivery is being sent, or was delivered.',
    hint: 'The body of a delivered webhook is not kept; change the row again to send another one.',
  },
})

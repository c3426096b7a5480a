import { catalogue } from '../../ground/errors/catalogue.ts'

/** The failures of the HTTP side, and the reasons why a channel is not joined, in the words of the reference (realtime §1, §3, §4). */
export const realtimeError = catalogue({
  KeyMissing: {
    status: 401,
    message: 'API key is missing',
    hint: 'Send a project key as the parameter apikey, as the official client does.',
  },
  Unauthorized: {
    status: 401,
    message: 'Unauthorized',
    hint: 'Send a project key or a user’s token that has not expired.',
  },
  InvalidToken: {
    status: 401,
    message: 'The token provided is not a valid JWT',
    hint: 'Use a project key, or a user’s token that has not expired.',
  },
  UnknownVersion: {
    status: 400,
    message: 'The serializer version is not supported',
    hint: 'Use vsn=1.0.0 or vsn=2.0.0.',
  },
  NotAWebSocket: {
    status: 426,
    message: 'This address speaks WebSocket only',
    hint: 'Open it with a WebSocket client, such as @supabase/realtime-js.',
  },
  TooManyConnections: {
    status: 429,
    message: 'Too many connected users',
    hint: 'connections of [realtime] limits the sockets.',
  },
  Forbidden: {
    status: 403,
    message: 'Unauthorized',
    hint: 'No policy of realtime.messages lets this role insert a broadcast into the topic.',
  },
  BadMessages: {
    status: 422,
    message: 'The messages are not as the API takes them',
    hint: 'The errors name each field.',
  },
  TooManyMessages: {
    status: 429,
    message: 'Too many messages to broadcast, please reduce the batch size',
    hint: 'batch_messages of [realtime] limits the messages of a call.',
  },
  UnableToConnectToProject: {
    status: 503,
    message: 'Realtime was unable to connect to the project database',
    hint: 'Send the messages again in a moment: whether the caller may send them is not known now.',
  },
  Busy: {
    status: 503,
    message: 'Too many large messages at a time',
    hint: 'Send them again in a moment, or in smaller parts.',
  },
  UnsupportedType: {
    status: 415,
    message: 'Unsupported Media Type',
    hint: 'Send application/json or application/octet-stream.',
  },
})

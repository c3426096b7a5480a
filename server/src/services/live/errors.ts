import { catalogue } from '../../ground/errors/catalogue.ts'

/** Every way in which a live connection is refused, or closed by its own fault. */
export const liveError = catalogue({
  CLEW_LIVE_NOT_A_WEBSOCKET: {
    status: 426,
    message: 'This address speaks WebSocket only.',
    hint: 'The console opens it by itself; a proxy before it must pass `Upgrade` and `Connection` on.',
  },
  CLEW_LIVE_TOO_MANY_CONNECTIONS: {
    status: 503,
    message: 'Too many tabs of the console are connected.',
    hint: 'Close some, or raise `connections` of [live]. Until then the console asks for what is new every few seconds.',
  },
  CLEW_LIVE_BAD_FRAME: {
    status: 400,
    message: 'The message is not understood.',
    hint: 'A message is `{"watch": [topics]}` as JSON, in a text frame.',
  },
  CLEW_LIVE_UNKNOWN_TOPIC: {
    status: 400,
    message: 'There is no such topic.',
    hint: 'Reload the console: it may be of another version than the server.',
  },
  CLEW_LIVE_TOO_MANY_TOPICS: {
    status: 400,
    message: 'More is watched than one tab may watch.',
    hint: 'Raise `topics_per_connection` of [live].',
  },
  CLEW_LIVE_TOO_MANY_FRAMES: {
    status: 429,
    message: 'The tab sends too many messages.',
    hint: 'Raise `frames_per_second` of [live].',
  },
})

/** The code of one of them. */
export type LiveErrorCode = keyof typeof liveError.entries

/** The limits of an HTTP server where no setting says otherwise. */
export const defaultServerLimits = {
  /** A request's address and headers together: an `in` list of some thousand keys, a token with many claims. */
  headKib: 64,
  /** A JSON body; routes that read larger ones have limits of their own. */
  bodyKib: 64,
  /** The time to receive a request: a slow body would hold its connection. */
  requestTimeoutSeconds: 300,
  /** What a request that takes longer must bring: uploads over the slowest networks that are in use bring some times that. */
  requestBytesPerSecond: 1024,
  /** The time that in-flight requests have to end when the server closes. */
  closeGraceSeconds: 10,
} as const

// The package carries no types; what the tests hand on is a WebSocket as browsers have it.
declare module 'ws' {
  const socket: typeof WebSocket
  export default socket
}

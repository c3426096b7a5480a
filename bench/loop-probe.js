// Loaded into the product by `--import`: tells the bench, on a socket, how long the event loop was held since it was asked
// last, how much memory the process has, and which routes it serves. Nothing of it is part of the product.
import diagnostics from 'node:diagnostics_channel'
import { createServer } from 'node:net'
import { isMainThread } from 'node:worker_threads'

const path = process.env.BENCH_PROBE_SOCKET
const isServer = isMainThread && process.argv[1]?.endsWith('clew.js') && process.argv.includes('start')

if (path !== undefined && isServer) {
  const routes = []
  diagnostics.subscribe('fastify.initialization', ({ fastify }) => {
    const app = routes.length === 0 ? 'api' : 'console'
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const one of [method].flat()) routes.push({ app, method: one, url })
    })
  })

  const beatMs = 1
  let longestMs = 0
  let before = performance.now()
  setInterval(() => {
    const now = performance.now()
    longestMs = Math.max(longestMs, now - before - beatMs)
    before = now
  }, beatMs).unref()

  createServer((socket) => {
    socket.end(JSON.stringify({ heldMs: longestMs, rssMiB: process.memoryUsage().rss / 2 ** 20, routes }))
    longestMs = 0
  })
    .listen(path)
    .unref()
}

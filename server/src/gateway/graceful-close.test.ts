import { once } from 'node:events'
import { Agent, request } from 'node:http'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { describe, expect, test } from 'vitest'
import { startGateway } from '../../test/gateway-app.ts'
import type { RequestRecord } from '../ground/model/request.ts'

describe('closing', () => {
  /** A service whose one answer waits to be let go. */
  function slow(): { plugin: FastifyPluginAsync; arrived: Promise<unknown>; release: () => void } {
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let arrive = (): void => undefined
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve
    })
    const plugin: FastifyPluginAsync = async (app) => {
      app.get('/slow', async () => {
        arrive()
        await held
        return 'done'
      })
    }
    return { plugin, arrived, release }
  }

  async function ask(app: FastifyInstance, agent: Agent): Promise<{ status: number; body: string }> {
    const outgoing = request(new URL('/thing/slow', app.listeningOrigin), { agent }).end()
    const [answer] = await once(outgoing, 'response')
    let body = ''
    for await (const chunk of answer) body += String(chunk)
    return { status: answer.statusCode, body }
  }

  test('a request in flight is answered and recorded first, and its connection does not hold it up', async () => {
    const { plugin, arrived, release } = slow()
    const ended: RequestRecord[] = []
    const app = await startGateway(plugin, { requestEnded: (record) => ended.push(record) })
    await app.listen({ port: 0, host: '127.0.0.1' })
    const agent = new Agent({ keepAlive: true })
    const answer = ask(app, agent)
    await arrived
    const closed = app.close()
    release()
    expect(await answer).toEqual({ status: 200, body: 'done' })
    await closed
    expect(ended.map(({ status }) => status)).toEqual([200])
    agent.destroy()
  })

  test('a request that does not end is given up when the grace is over', async () => {
    const { plugin, arrived } = slow()
    const app = await startGateway(plugin, { closeGraceMs: 100 })
    await app.listen({ port: 0, host: '127.0.0.1' })
    const agent = new Agent({ keepAlive: true })
    const answer = ask(app, agent).catch((error: { code?: unknown }) => error.code)
    await arrived
    await app.close()
    expect(await answer).toBe('ECONNRESET')
    agent.destroy()
  })
})

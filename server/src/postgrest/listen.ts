import { chmodSync, rmSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { messageOf } from '../ground/errors/message.ts'
import { postgrestError } from './errors.ts'

/** Where a server listens, as the configuration says. */
export interface ListenAddress {
  readonly host: string
  readonly port: number
  /** A Unix socket instead, with its mode in octal. */
  readonly socket: string | null
  readonly mode: string
  readonly reusePort?: boolean
}

const any = ['*', '*4', '!4', '*6', '!6']

/** Whether a host says only which kind of address to listen on. */
export const isAnyHost = (host: string): boolean => any.includes(host)

/** The host as Node.js takes it: `*` and `*6` are both kinds of addresses, `!4` and `*4` IPv4. */
function bindAddress(host: string): { readonly host: string; readonly ipv6Only?: boolean } {
  if (host === '!4' || host === '*4') return { host: '0.0.0.0' }
  if (host === '!6') return { host: '::', ipv6Only: true }
  return { host: any.includes(host) ? '::' : host }
}

async function bind(app: FastifyInstance, target: ListenAddress): Promise<string> {
  if (target.socket !== null) {
    rmSync(target.socket, { force: true })
    await app.listen({ path: target.socket })
    chmodSync(target.socket, Number.parseInt(target.mode, 8))
    return target.socket
  }
  const { port, reusePort = false } = target
  await app.listen({ port, ...bindAddress(target.host), ...(reusePort ? { reusePort } : {}) })
  const [address] = app.addresses()
  if (address === undefined || typeof address === 'string') return target.host
  return `${address.address.includes(':') ? `[${address.address}]` : address.address}:${address.port}`
}

/** Listens, and says where. @throws CLEW_REST_LISTEN */
export async function listenAt(app: FastifyInstance, target: ListenAddress): Promise<string> {
  try {
    return await bind(app, target)
  } catch (cause) {
    await app.close()
    throw postgrestError('CLEW_REST_LISTEN', { message: messageOf(cause), cause })
  }
}

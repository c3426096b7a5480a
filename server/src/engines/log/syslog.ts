import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIP, isIPv6, connect as netConnect, type Socket } from 'node:net'
import { connect as tlsConnect } from 'node:tls'
import type { DrainOptions } from '../drain/index.ts'
import { renderSyslog, type SyslogOrigin } from './syslog-message.ts'

export interface SyslogOptions extends SyslogOrigin {
  /** `udp://…`, `tcp://…` or `tls://…`. */
  readonly url: string
  readonly timeoutMs: number
  readonly now: () => Date
}

/** A server of syslog. */
export interface Syslog {
  readonly send: DrainOptions['send']
  close(): void
}

const defaultPorts: Readonly<Record<string, number>> = { udp: 514, tcp: 514, tls: 6514 }
/** What most servers take of a datagram (RFC 5426 §3.2 asks for 2,048). */
const datagramBytes = 8192

/** Opens no connection before there is something to send. */
export function openSyslog(options: SyslogOptions): Syslog {
  const { protocol, hostname, port } = new URL(options.url)
  const kind = protocol.slice(0, -1)
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const place = { host, port: port === '' ? (defaultPorts[kind] ?? 514) : Number(port) }
  const render = (line: string): Buffer => Buffer.from(renderSyslog(line, options, options.now()))
  return kind === 'udp'
    ? overDatagrams(place, render)
    : overStream({ ...place, isTls: kind === 'tls' }, render, options)
}

interface Place {
  readonly host: string
  readonly port: number
}

/** A datagram a message (RFC 5426); one that is lost is not known to be. */
function overDatagrams({ host, port }: Place, render: (line: string) => Buffer): Syslog {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4').unref()
  socket.on('error', () => undefined)
  const post = (bytes: Buffer) =>
    new Promise<void>((resolve, reject) => {
      socket.send(bytes, port, host, (error) => (error ? reject(error) : resolve()))
    })
  return {
    async send(lines) {
      for (const line of lines) await post(render(line).subarray(0, datagramBytes))
    },
    close: () => socket.close(),
  }
}

/** Messages with their lengths before them (RFC 6587 §3.4.1, RFC 5425 §4.3), on a connection that is kept. */
function overStream(
  { host, port, isTls }: Place & { readonly isTls: boolean },
  render: (line: string) => Buffer,
  { timeoutMs }: SyslogOptions,
): Syslog {
  let socket: Socket | null = null
  // RFC 6066 §3: addresses are no server names; the certificate is checked against `host` in either case.
  const tlsPlace = { host, port, ...(isIP(host) === 0 ? { servername: host } : {}) }

  const open = async (signal: AbortSignal): Promise<Socket> => {
    const opened = isTls ? tlsConnect(tlsPlace) : netConnect({ host, port })
    opened.on('error', () => undefined).unref()
    opened.once('close', () => {
      if (socket === opened) socket = null
    })
    const timeout = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    try {
      await once(opened, isTls ? 'secureConnect' : 'connect', { signal: timeout })
    } catch (error) {
      opened.destroy()
      throw error
    }
    socket = opened
    return opened
  }
  return {
    async send(lines, signal) {
      const to = socket ?? (await open(signal))
      const frames = lines.map((line) => {
        const message = render(line)
        return Buffer.concat([Buffer.from(`${message.length} `), message])
      })
      // A server that reads no more holds a write for as long as its connection lives.
      const timeout = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
      const stop = (): void => void to.destroy()
      timeout.addEventListener('abort', stop, { once: true })
      try {
        await new Promise<void>((resolve, reject) => {
          to.write(Buffer.concat(frames), (error) => (error ? reject(error) : resolve()))
        })
      } finally {
        timeout.removeEventListener('abort', stop)
      }
    },
    close: () => socket?.destroy(),
  }
}

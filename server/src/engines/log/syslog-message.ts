/** What of a message is the process's. */
export interface SyslogOrigin {
  readonly hostname: string
  /** APP-NAME. */
  readonly name: string
  readonly pid: number
}

/** `user`: messages of programs (RFC 5424 §6.2.1). */
const facility = 1
const severities = [
  [60, 2],
  [50, 3],
  [40, 4],
  [30, 6],
] as const
const debug = 7

/**
 * A line of the log, JSON as pino writes it, as a message of syslog; its text is the line.
 *
 * @see RFC 5424 §6
 */
export function renderSyslog(line: string, { hostname, name, pid }: SyslogOrigin, now: Date): string {
  const { level, time } = readHead(line)
  const severity = severities.find(([least]) => level >= least)?.[1] ?? debug
  const at = new Date(time ?? now.getTime()).toISOString()
  return `<${facility * 8 + severity}>1 ${at} ${token(hostname, 255)} ${token(name, 48)} ${pid} - - ${line}`
}

/** Level and time stand first in each line; to parse all of it would cost more than to send it. */
function readHead(line: string): { readonly level: number; readonly time: number | null } {
  const [, level, time] = /^\{"level":(\d{2}),"time":(\d{13})[,}]/.exec(line) ?? []
  return { level: Number(level ?? 30), time: time === undefined ? null : Number(time) }
}

/** Printable US-ASCII without spaces (RFC 5424 §6); a dash for nothing. */
const token = (text: string, most: number): string => text.replaceAll(/[^\x21-\x7e]/g, '').slice(0, most) || '-'

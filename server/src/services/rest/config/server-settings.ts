import Type from 'typebox'
import { matching, nullable, setting, text, type Values } from '../../../ground/settings/setting.ts'

const isSocketMode = (mode: string): boolean => /^[67][0-7]{2}$/.test(mode)
const socketMode = { allowed: 'an octal number from 600 to 777', fits: isSocketMode } as const

/** The settings of a server that runs this service alone, on a database that is managed elsewhere. */
export const serverSettings = {
  uri: setting(text, {
    default: 'postgresql://',
    secret: true,
    description: 'The database: a connection string as libpq reads it, completed by PGHOST, PGUSER, …; @file reads it.',
  }),
  poolAutomaticRecovery: setting(Type.Boolean(), {
    default: true,
    description: 'Whether a lost database is waited for; otherwise the process ends.',
  }),
  logLevel: setting(Type.Enum(['crit', 'error', 'warn', 'info', 'debug']), {
    default: 'error',
    description: 'Which requests are logged: none, those that failed here, refused ones too, or all.',
  }),
  logQuery: setting(Type.Boolean(), {
    default: false,
    description: 'Whether the statements of logged requests are logged.',
  }),
  serverHost: setting(text, {
    default: '!4',
    description: 'The address to listen on; * any, *4 any but rather IPv4, !4 only IPv4, *6 and !6 likewise.',
  }),
  serverPort: setting(Type.Integer({ minimum: 0, maximum: 65_535 }), {
    default: 3000,
    description: 'The port; 0 takes a free one.',
  }),
  serverReuseport: setting(Type.Boolean(), {
    default: false,
    description: 'Whether several processes may listen on the port, so that a new one starts before the old one ends.',
  }),
  serverUnixSocket: setting(nullable(Type.String()), {
    default: null,
    description: 'A Unix socket to listen on instead of the port.',
  }),
  serverUnixSocketMode: setting(matching(socketMode), { default: '660', description: 'The mode of that socket.' }),
  adminServerHost: setting(text, {
    default: '!4',
    description: 'The address of the admin server; server-host’s where not given.',
  }),
  adminServerPort: setting(nullable(Type.Integer({ minimum: 0, maximum: 65_535 })), {
    default: null,
    description: 'The port of the admin server, which tells whether the service is well; nothing for none.',
  }),
  adminServerUnixSocket: setting(nullable(Type.String()), {
    default: null,
    description: 'A Unix socket for the admin server instead.',
  }),
  adminServerUnixSocketMode: setting(matching(socketMode), { default: '660', description: 'The mode of that socket.' }),
} as const

export type ServerSettings = Values<typeof serverSettings>

import {
  choice,
  flag,
  integer,
  optionalInteger,
  optionalText,
  text,
  textOf,
  type Values,
} from '../../../ground/settings/setting.ts'

const isSocketMode = (mode: string): boolean => /^[67][0-7]{2}$/.test(mode)
const socketMode = { allowed: 'an octal number from 600 to 777', fits: isSocketMode } as const

/** The settings of a server that runs this service alone, on a database that somebody else keeps. */
export const serverSettings = {
  uri: text({
    default: 'postgresql://',
    secret: true,
    about: 'The database: a connection string as libpq reads it, completed by PGHOST, PGUSER, …; @file reads it.',
  }),
  poolAutomaticRecovery: flag({
    default: true,
    about: 'Whether a lost database is waited for; otherwise the process ends.',
  }),
  logLevel: choice({
    default: 'error',
    words: ['crit', 'error', 'warn', 'info', 'debug'],
    about: 'Which requests are logged: none, those that failed here, refused ones too, or all.',
  }),
  logQuery: flag({ default: false, about: 'Whether the statements of logged requests are logged.' }),
  serverHost: text({
    default: '!4',
    about: 'The address to listen on; * any, *4 any but rather IPv4, !4 only IPv4, *6 and !6 likewise.',
  }),
  serverPort: integer({ default: 3000, min: 0, max: 65_535, about: 'The port; 0 takes a free one.' }),
  serverReuseport: flag({
    default: false,
    about: 'Whether several processes may listen on the port, so that a new one starts before the old one ends.',
  }),
  serverUnixSocket: optionalText({ default: null, about: 'A Unix socket to listen on instead of the port.' }),
  serverUnixSocketMode: textOf({ of: socketMode, default: '660', about: 'The mode of that socket.' }),
  adminServerHost: text({ default: '!4', about: 'The address of the admin server; server-host’s where not given.' }),
  adminServerPort: optionalInteger({
    default: null,
    min: 0,
    max: 65_535,
    about: 'The port of the admin server, which tells whether the service is well; nothing for none.',
  }),
  adminServerUnixSocket: optionalText({ default: null, about: 'A Unix socket for the admin server instead.' }),
  adminServerUnixSocketMode: textOf({ of: socketMode, default: '660', about: 'The mode of that socket.' }),
} as const

export type ServerSettings = Values<typeof serverSettings>

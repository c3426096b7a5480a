import { expect, test } from 'vitest'
import { type InstanceSettings, readAllSettings } from '../settings/index.ts'
import { planAddresses } from './addresses.ts'

const settings = (flags: Record<string, unknown>): InstanceSettings =>
  readAllSettings({ flags, environment: {}, workingDirectory: '/' }).settings.instance

const inProduction = { production: true, host: '0.0.0.0', publicUrl: 'https://api.example.com' }

test('the console has an origin of its own', async () => {
  expect(await planAddresses(settings({}))).toEqual({
    api: { host: '127.0.0.1', port: 54321 },
    console: { host: '127.0.0.1', port: 54323 },
    apiUrl: 'http://127.0.0.1:54321',
    consoleUrl: 'http://127.0.0.1:54323/console',
    inboxUrl: 'http://127.0.0.1:54323/inbox',
    listenUrl: 'http://127.0.0.1:54321',
  })
})

test('in production the console stays on this machine until its address is told', async () => {
  expect(await planAddresses(settings(inProduction))).toMatchObject({
    api: { host: '0.0.0.0' },
    console: { host: '127.0.0.1', port: 54323 },
    consoleUrl: 'http://127.0.0.1:54323/console',
  })
  const told = { ...inProduction, consoleUrl: 'https://console.example.com/' }
  expect(await planAddresses(settings(told))).toMatchObject({
    console: { host: '0.0.0.0', port: 54323 },
    consoleUrl: 'https://console.example.com/console',
    inboxUrl: 'https://console.example.com/console/inbox',
  })
})

test.each([{ port: 0 }, { consolePort: 0 }])('a free port is taken for the console with %j', async (flags) => {
  const { console } = await planAddresses(settings(flags))
  expect(console.port).toBeGreaterThan(0)
  expect(console.port).not.toBe(54323)
})

import type { RealtimeChannel } from '@supabase/realtime-js'
import { describe, expect } from 'vitest'
import { busForms } from '../../../../test/bus.ts'
import { test } from '../../../../test/harness.ts'
import { joined, openRealtime } from '../../../../test/realtime-app.ts'
import type { Bus } from '../../../engines/bus/index.ts'

const isSubscribed = { status: 'SUBSCRIBED' }
const keysOf = (channel: RealtimeChannel) => Object.keys(channel.presenceState()).sort()

/** A channel that follows presence under a key, joined. */
async function follow(
  channel: RealtimeChannel,
): Promise<{ readonly channel: RealtimeChannel; readonly told: string[] }> {
  const told: string[] = []
  channel
    .on('presence', { event: 'join' }, ({ key }) => told.push(`+${key}`))
    .on('presence', { event: 'leave' }, ({ key }) => told.push(`-${key}`))
  expect(await joined(channel)).toEqual(isSubscribed)
  return { channel, told }
}

const withKey = (key: string) => ({ config: { presence: { key } } })

describe.each(Object.entries(busForms))('two nodes, the bus %s', (_, open) => {
  test('a broadcast reaches the members of both, each once', async ({ db }) => {
    const world = await open()
    const [one, two] = [
      await openRealtime(db, { bus: await world.connect() }),
      await openRealtime(db, { bus: await world.connect() }),
    ]
    const heard: string[] = []
    const listen = async (name: string, channel: RealtimeChannel): Promise<RealtimeChannel> => {
      channel.on('broadcast', { event: '*' }, ({ event, payload }) => heard.push(`${name} ${event} ${payload.n}`))
      expect(await joined(channel)).toEqual(isSubscribed)
      return channel
    }
    const config = { broadcast: { ack: true } }
    const near = await listen('near', one.client('anon', { vsn: '1.0.0' }).channel('news', { config }))
    const beside = await listen('beside', one.client('anon', { vsn: '2.0.0' }).channel('news', { config }))
    await listen('far', two.client('anon', { vsn: '1.0.0' }).channel('news'))
    await listen('far too', two.client('anon', { vsn: '2.0.0' }).channel('news'))
    await listen('elsewhere', two.client().channel('weather'))
    expect(await near.send({ type: 'broadcast', event: 'old', payload: { n: 1 } })).toBe('ok')
    await expect.poll(() => [...heard].sort()).toEqual(['beside old 1', 'far old 1', 'far too old 1'])
    heard.length = 0
    expect(await beside.send({ type: 'broadcast', event: 'new', payload: { n: 2 } })).toBe('ok')
    await expect.poll(() => [...heard].sort()).toEqual(['far new 2', 'far too new 2', 'near new 2'])
    heard.length = 0
    const body = JSON.stringify({ messages: [{ topic: 'news', event: 'post', payload: { n: 3 } }] })
    const headers = { apikey: one.token('anon'), 'content-type': 'application/json' }
    expect((await fetch(`${one.url}/api/broadcast`, { method: 'POST', headers, body })).status).toBe(202)
    await expect.poll(() => [...heard].sort()).toEqual(['beside post 3', 'far post 3', 'far too post 3', 'near post 3'])
  })

  test('by HTTP a broadcast reaches members of another node, where this one has none', async ({ db }) => {
    const world = await open()
    const [one, two] = [
      await openRealtime(db, { bus: await world.connect() }),
      await openRealtime(db, { bus: await world.connect() }),
    ]
    const heard: unknown[] = []
    const channel = two.client().channel('news')
    channel.on('broadcast', { event: 'post' }, ({ payload }) => heard.push(payload))
    expect(await joined(channel)).toEqual(isSubscribed)
    const headers = { apikey: one.token('anon'), 'content-type': 'application/json' }
    const said = await fetch(`${one.url}/api/broadcast/news/events/post`, { method: 'POST', headers, body: '{"n":1}' })
    expect(said.status).toBe(202)
    await expect.poll(() => heard).toEqual([{ n: 1 }])
  })

  test('members of both see who is present, who came before them, who changes and who leaves', async ({ db }) => {
    const world = await open()
    const [one, two] = [
      await openRealtime(db, { bus: await world.connect() }),
      await openRealtime(db, { bus: await world.connect() }),
    ]
    const ann = await follow(one.client().channel('desk', withKey('ann')))
    expect(await ann.channel.track({ at: 'door' })).toBe('ok')
    const bobsClient = two.client()
    const bob = await follow(bobsClient.channel('desk', withKey('bob')))
    await expect.poll(() => keysOf(bob.channel)).toEqual(['ann'])
    expect(await bob.channel.track({ at: 'till' })).toBe('ok')
    await expect.poll(() => keysOf(ann.channel)).toEqual(['ann', 'bob'])
    expect(await ann.channel.track({ at: 'window' })).toBe('ok')
    await expect.poll(() => bob.channel.presenceState().ann).toMatchObject([{ at: 'window' }])
    await bobsClient.disconnect()
    await expect.poll(() => keysOf(ann.channel)).toEqual(['ann'])
    expect(ann.told.filter((each) => each.includes('bob'))).toEqual(['+bob', '-bob'])
  })

  test('a node that stops takes its members off at once', async ({ db }) => {
    const world = await open()
    const [one, two] = [
      await openRealtime(db, { bus: await world.connect(), nodeSeconds: 3600 }),
      await openRealtime(db, { bus: await world.connect(), nodeSeconds: 3600 }),
    ]
    const ann = await follow(one.client().channel('desk', withKey('ann')))
    const bob = await follow(two.client().channel('desk', withKey('bob')))
    expect(await bob.channel.track({})).toBe('ok')
    await expect.poll(() => keysOf(ann.channel)).toEqual(['bob'])
    await two.realtime.close()
    await expect.poll(() => keysOf(ann.channel)).toEqual([])
  })
})

/** A bus that can be made to lose what its node publishes. */
function leaking(bus: Bus): Bus & { loses: boolean } {
  const leaky = {
    ...bus,
    loses: false,
    publish(subject: string, encode: () => Buffer) {
      if (!leaky.loses) bus.publish(subject, encode)
    },
  }
  return leaky
}

test('changes of presence that were lost on the way are made up for', async ({ db }) => {
  const { connect } = await (busForms['in the process'] ?? fail)()
  const bus = leaking(await connect())
  const [one, two] = [
    await openRealtime(db, { bus: await connect(), nodeSeconds: 1 }),
    await openRealtime(db, { bus, nodeSeconds: 1 }),
  ]
  const ann = await follow(one.client().channel('desk', withKey('ann')))
  const bob = await follow(two.client().channel('desk', withKey('bob')))
  const eve = await follow(two.client().channel('desk', withKey('eve')))
  bus.loses = true
  expect(await bob.channel.track({})).toBe('ok')
  expect(await eve.channel.track({})).toBe('ok')
  bus.loses = false
  await expect.poll(() => keysOf(ann.channel)).toEqual(['bob', 'eve'])
  bus.loses = true
  expect(await bob.channel.untrack()).toBe('ok')
  bus.loses = false
  // The next change shows that one is missing.
  expect(await eve.channel.track({ again: true })).toBe('ok')
  await expect.poll(() => keysOf(ann.channel)).toEqual(['eve'])
  expect([...ann.told].sort()).toEqual(['+bob', '+eve', '+eve', '-bob', '-eve'])
})

test('a node that falls silent takes its members off, and brings them back when it is heard again', async ({ db }) => {
  const { connect } = await (busForms['in the process'] ?? fail)()
  const bus = leaking(await connect())
  const [one, two] = [
    await openRealtime(db, { bus: await connect(), nodeSeconds: 1 }),
    await openRealtime(db, { bus, nodeSeconds: 1 }),
  ]
  const ann = await follow(one.client().channel('desk', withKey('ann')))
  const bob = await follow(two.client().channel('desk', withKey('bob')))
  expect(await bob.channel.track({})).toBe('ok')
  await expect.poll(() => keysOf(ann.channel)).toEqual(['bob'])
  bus.loses = true
  await expect.poll(() => keysOf(ann.channel)).toEqual([])
  bus.loses = false
  await expect.poll(() => keysOf(ann.channel)).toEqual(['bob'])
})

function fail(): never {
  throw new Error('The form is there on every machine.')
}

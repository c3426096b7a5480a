import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { busForms } from '../../../test/bus.ts'
import { hasNats, startNats } from '../../../test/nats-server.ts'
import { encodeFrame, frameKinds } from './frames.ts'
import { type Bus, checkNats, connectNatsBus, connectUnixBus, openBusBroker } from './index.ts'

const text = (said: string) => () => Buffer.from(said)

/** What a node hears of a subject. */
function hear(bus: Bus, subject: string): string[] {
  const heard: string[] = []
  bus.subscribe(subject, ({ bytes }) => heard.push(bytes.toString()))
  return heard
}

/** Resolves when `to` hears of `from`: what was subscribed before is in force then. */
async function met(from: Bus, to: Bus): Promise<void> {
  const heard = hear(to, `meet.${from.node}`)
  await expect
    .poll(() => {
      from.publish(`meet.${from.node}`, text('here'))
      return heard.length
    })
    .toBeGreaterThan(0)
}

describe.each(Object.entries(busForms))('the bus %s', (_, open) => {
  test('a message reaches the other nodes that have subscribed, and not its publisher', async () => {
    const world = await open()
    const [one, two, three] = [await world.connect(), await world.connect(), await world.connect()]
    const own = hear(one, 'news')
    const [first, second] = [hear(two, 'news'), hear(two, 'news')]
    const other = hear(three, 'weather')
    const from: string[] = []
    two.subscribe('news', (message) => from.push(message.from))
    await met(one, two)
    await met(one, three)
    one.publish('news', text('a'))
    await expect.poll(() => [first, second, from]).toEqual([['a'], ['a'], [one.node]])
    await met(one, three)
    expect([own, other]).toEqual([[], []])
  })

  test('what is published once a subscription is in force comes, and a broker that is gone is not waited for', async () => {
    const world = await open()
    const [one, two] = [await world.connect(), await world.connect()]
    const subjects = Array.from({ length: 300 }, (_, n) => `news.${n}`)
    const heard = subjects.map((subject) => hear(two, subject))
    await two.subscribed?.()
    for (const subject of subjects) one.publish(subject, text(subject))
    await expect.poll(() => heard).toEqual(subjects.map((subject) => [subject]))
    await world.cut?.()
    await two.subscribed?.()
    await world.restore()
  })

  test('messages of one node come in their order, large ones among them and whole', async () => {
    const world = await open()
    const [one, two] = [await world.connect(), await world.connect()]
    const heard: Buffer[] = []
    two.subscribe('news', ({ bytes }) => heard.push(bytes))
    await met(one, two)
    const large = randomBytes(3_500_000)
    const sent = Array.from({ length: 500 }, (_, n) => (n % 100 === 50 ? large : Buffer.from(String(n))))
    for (const bytes of sent) one.publish('news', () => bytes)
    await expect.poll(() => heard.length).toBe(500)
    expect(Buffer.concat(heard).equals(Buffer.concat(sent))).toBe(true)
    expect([one.dropped(), two.dropped()]).toEqual([0, 0])
  })

  test('a subscription that has ended hears nothing, and a handler that throws disturbs no other', async () => {
    const world = await open()
    const [one, two] = [await world.connect(), await world.connect()]
    two.subscribe('news', () => {
      throw new Error('bad')
    })
    const heard = hear(two, 'news')
    const ended: string[] = []
    const end = two.subscribe('news', ({ bytes }) => ended.push(bytes.toString()))
    end()
    await met(one, two)
    one.publish('news', text('a'))
    one.publish('news', text('b'))
    await expect.poll(() => heard).toEqual(['a', 'b'])
    expect(ended).toEqual([])
  })

  test('a subject that no form could name is refused', async () => {
    const bus = await (await open()).connect()
    expect(() => bus.subscribe('all > of *', () => undefined)).toThrow('no subjects such as')
    expect(() => bus.publish('', text('a'))).toThrow('no subjects such as')
  })
})

const cuttable = Object.entries(busForms).filter(([name]) => name !== 'in the process')

test.each(cuttable)(
  'the bus %s comes back after a crash in between, and says that messages were missed',
  async (_, open) => {
    const world = await open()
    const [one, two] = [await world.connect(), await world.connect()]
    const heard = hear(two, 'news')
    let missed = 0
    two.onMissed(() => {
      missed += 1
    })
    await met(one, two)
    await world.cut?.()
    await expect.poll(() => [one, two].map((bus) => bus.health?.().state)).toEqual(['degraded', 'degraded'])
    one.publish('news', text('lost'))
    expect(one.dropped()).toBe(1)
    await world.restore()
    await expect.poll(() => [one, two].map((bus) => bus.health?.().state), { timeout: 10_000 }).toEqual(['up', 'up'])
    expect(missed).toBe(1)
    await met(one, two)
    one.publish('news', text('found'))
    await expect.poll(() => heard).toEqual(['found'])
  },
)

test('on a Unix socket, a node that does not read is cut off, and the others go on', async () => {
  const options = { socketPath: join(tmpdir(), `clew-bus-${process.pid}.sock`), bufferedBytes: 1_000_000 }
  const broker = await openBusBroker(options)
  onTestFinished(() => broker.close())
  const log = (): void => undefined
  const [one, two] = [
    await connectUnixBus({ node: 'one', log, ...options }),
    await connectUnixBus({ node: 'two', log, ...options }),
  ]
  onTestFinished(async () => void (await Promise.all([one.close(), two.close()])))
  const silent = connect(options.socketPath)
  silent.write(encodeFrame(frameKinds.subscribe, 'silent', 'news'))
  const closed = new Promise((resolve) => silent.once('close', resolve))
  const heard = hear(two, 'news')
  await met(one, two)
  const large = Buffer.alloc(400_000)
  for (let sent = 1; broker.cutOff() === 0; sent += 1) {
    one.publish('news', () => large)
    await expect.poll(() => heard.length).toBe(sent)
  }
  one.publish('news', text('on'))
  await expect.poll(() => heard.at(-1)).toBe('on')
  silent.resume()
  await closed
  expect(broker.cutOff()).toBe(1)
})

test.runIf(hasNats)('a password of NATS is another one at the next connection', async () => {
  const { url, kill, port } = await startNats(['--user', 'clew', '--pass', 'old'])
  let password = 'old'
  const urlWith = (text: string) => url.replace('//', `//clew:${text}@`)
  const options = { prefix: 'clew', log: () => undefined, bufferedBytes: 1_000_000, url: () => urlWith(password) }
  const buses = await Promise.all(['one', 'two'].map((node) => connectNatsBus({ ...options, node })))
  const [one, two] = buses as [Bus, Bus]
  const heard = hear(two, 'news')
  await met(one, two)
  await kill()
  await startNats(['--user', 'clew', '--pass', 'new'], port)
  await expect(checkNats(urlWith('old'))).rejects.toThrow(/uthori/)
  await checkNats(urlWith('new'))
  password = 'new'
  await expect.poll(() => [one, two].map((bus) => bus.health?.().state), { timeout: 20_000 }).toEqual(['up', 'up'])
  await met(one, two)
  one.publish('news', text('a'))
  await expect.poll(() => heard).toEqual(['a'])
  // Before the second server ends, which was started last.
  await Promise.all(buses.map((bus) => bus.close()))
})

test.runIf(hasNats)('on a NATS server with a password, Clews of different names do not hear each other', async () => {
  const { url } = await startNats(['--user', 'clew', '--pass', 'a secret'])
  const log = (): void => undefined
  const open = (node: string, prefix: string, login = 'clew:a%20secret@') =>
    connectNatsBus({ node, prefix, log, bufferedBytes: 1_000_000, url: () => url.replace('//', `//${login}`) })
  const buses = await Promise.all([open('one', 'here'), open('two', 'here'), open('three', 'there')])
  onTestFinished(async () => void (await Promise.all(buses.map((bus) => bus.close()))))
  const [one, two, three] = buses as [Bus, Bus, Bus]
  const [near, far] = [hear(two, 'news'), hear(three, 'news')]
  await met(one, two)
  one.publish('news', text('a'))
  await expect.poll(() => near).toEqual(['a'])
  expect(far).toEqual([])
  await expect(open('four', 'here', 'clew:wrong@')).rejects.toThrow(/uthori/)
})

import { expect } from 'vitest'
import { test, thrown } from '../../../../test/issues-world.ts'

const minuteMs = 60_000

test('the team is told of new errors and of those that came back, in one message a while', async ({
  world: { issues, store, call, clock, mails, receiver },
}) => {
  await store(thrown(clock.ms))
  await issues.sendAlerts()
  const { id } = (await call('GET', '/errors')).body.issues[0]
  expect(mails).toMatchObject([{ to: 'team@shop.test', subject: 'Shop: New error: TypeError: x of ann@a.test is 7' }])
  expect(mails[0]?.text).toContain(`https://console.test/console/errors/${id}`)
  expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
    ...{ type: 'errors', project: 'Shop', count: 1 },
    errors: [{ issueId: id, kind: 'created' }],
  })
  await call('PATCH', `/errors/${id}`, { state: 'resolved' })
  clock.ms += minuteMs
  await store(thrown(clock.ms), thrown(clock.ms, {}, 'RangeError', '<b>far</b>'))
  await issues.sendAlerts()
  expect(mails).toHaveLength(1)
  clock.ms += 5 * minuteMs
  await issues.sendAlerts()
  await issues.sendAlerts()
  expect(mails).toHaveLength(2)
  expect(mails[1]?.subject).toBe('Shop: 2 errors')
  expect(mails[1]?.text).toContain('Error that came back: TypeError')
  expect(mails[1]?.html).toContain('RangeError: &lt;b&gt;far')
})

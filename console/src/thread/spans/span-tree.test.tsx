import { render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { serverLog, serverSpan } from '../../../test/answers/requests.ts'
import { ServerLogList } from './server-log-list.tsx'
import { SpanTree } from './span-tree.tsx'

test('spans stand below one another, and one opens what it tells', async () => {
  render(
    <SpanTree
      spans={[
        serverSpan,
        {
          ...serverSpan,
          id: 'b',
          depth: 1,
          name: 'charge',
          status: 'error',
          statusMessage: 'declined',
          service: 'pay',
        },
        {
          ...serverSpan,
          id: 'r',
          depth: 2,
          name: 'POST /rest/v1/orders',
          kind: 'request',
          attributes: {},
          resource: {},
          events: [],
          service: '',
        },
      ]}
    />,
  )
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('POST /checkoutshop'),
    expect.stringContaining('failed: chargepay'),
    expect.stringContaining('POST /rest/v1/orders'),
  ])
  expect(isOpen('POST /checkout')).toBe(false)
  await userEvent.click(screen.getByText('POST /checkout'))
  expect(isOpen('POST /checkout')).toBe(true)
  const told = within(screen.getAllByRole('listitem')[0] ?? document.body)
  expect([told.getByText('Porto').tagName, told.getByText('RangeError').tagName]).toEqual(['DD', 'DD'])
  await userEvent.click(screen.getByText('charge'))
  expect([isOpen('charge'), screen.getByText('declined').tagName]).toEqual([true, 'P'])
})

test('a record of a server’s log says its level and service, and opens its attributes', async () => {
  render(
    <ServerLogList logs={[serverLog, { ...serverLog, id: 'l2', text: '', eventName: 'user.login', attributes: {} }]} />,
  )
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('error shop card declined'),
    expect.stringContaining('error shop user.login'),
  ])
  expect(isOpen(/card declined/)).toBe(false)
  await userEvent.click(screen.getByText(/card declined/))
  expect([isOpen(/card declined/), screen.getByText('12').tagName]).toEqual([true, 'DD'])
})

/** Whether what stands below a line is shown. */
const isOpen = (line: string | RegExp): boolean | undefined => screen.getByText(line).closest('details')?.open

import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { signedIn } from '../../test/answers.ts'
import { openConsole } from '../../test/console.tsx'

test('Home shows the last hour, the engines and what is still to be set up', async () => {
  openConsole('/', signedIn)
  await screen.findByRole('heading', { name: 'Home', level: 1 })
  expect(screen.getByRole('link', { name: '12' }).getAttribute('href')).toBe('/console/requests?last=1h')
  expect(screen.getByRole('region', { name: 'Engines' }).textContent).toContain('PostgreSQL 18.4, embedded')
  expect(screen.getByRole('region', { name: 'Latest sessions' }).textContent).toContain('Maria Silva')
  expect(screen.getByRole('link', { name: 'Show the setup code' })).toBeTruthy()
})

test('the chart becomes a table, and the address says so', async () => {
  const { at } = openConsole('/', signedIn)
  const choose = async (name: string) => {
    await userEvent.click(await screen.findByRole('button', { name: 'Chart menu: Requests a minute' }))
    await userEvent.click(await screen.findByRole('menuitem', { name }))
  }
  await choose('Show as table')
  await screen.findByRole('table', { name: 'Requests a minute' })
  expect(at()).toBe('/?chart=table')
  await choose('Show as chart')
  await screen.findByRole('img', { name: /^Requests a minute/ })
  expect(at()).toBe('/')
})

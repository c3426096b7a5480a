import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { operator, signedIn } from '../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../test/console.tsx'

/** A server that knows a signed-in operator only after `enter` was called. */
function signInServer(answers: Answers, signIn: (enter: () => void) => Answers['/console/api/session']): Answers {
  let isIn = false
  return {
    ...signedIn,
    ...answers,
    '/console/api/session': {
      get: () => (isIn ? Response.json({ operator }) : refuse(401, 'CLEW_OPERATORS_SIGNED_OUT', 'Sign in first.')()),
      ...signIn(() => {
        isIn = true
      }),
    },
  }
}

async function typePassword() {
  await userEvent.type(await screen.findByLabelText('Email'), operator.email)
  await userEvent.type(screen.getByLabelText('Password'), 'a long and calm password')
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }))
}

test('signs in and goes on to where the link led', async () => {
  const { at } = openConsole(
    '/sign-in?to=%2Fconsole%2Fdata',
    signInServer({}, (enter) => ({
      post: async (request) => {
        expect(await request.json()).toEqual({ email: operator.email, password: 'a long and calm password' })
        enter()
        return Response.json({ operator, secondStep: null })
      },
    })),
  )
  await typePassword()
  await screen.findByRole('heading', { name: 'Data', level: 1 })
  expect(at()).toBe('/data')
})

test('a wrong password is shown at its field', async () => {
  openConsole(
    '/sign-in',
    signInServer({}, () => ({ post: refuse(401, 'CLEW_OPERATORS_PASSWORD', 'That is not right.', 'Check both.') })),
  )
  await typePassword()
  await screen.findByText('That is not right. Check both.')
  expect(screen.getByLabelText('Password').getAttribute('aria-invalid')).toBe('true')
})

test('the second factor is asked for, a wrong code said, a right one lets in', async () => {
  let enter: () => void = () => undefined
  openConsole(
    '/sign-in',
    signInServer(
      {
        '/console/api/session/factor': {
          post: async (request) => {
            const { ticket, code }: { ticket: string; code: string } = await request.json()
            if (ticket !== 't1' || code !== '123456')
              return refuse(
                401,
                'CLEW_OPERATORS_FACTOR',
                'That is not right.',
                'Type the code that the app shows now.',
              )()
            enter()
            return Response.json({ operator })
          },
        },
      },
      (letIn) => {
        enter = letIn
        return {
          post: { operator: null, secondStep: { ticket: 't1', hasTotp: true, passkeyOptions: null } },
        }
      },
    ),
  )
  await typePassword()
  const code = await screen.findByLabelText('Code')
  expect(screen.queryByRole('button', { name: 'Use a passkey' })).toBeNull()
  await userEvent.type(code, '000000{Enter}')
  await screen.findByText('That is not right. Type the code that the app shows now.')
  await userEvent.clear(code)
  await userEvent.type(code, '123456')
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }))
  await screen.findByRole('heading', { name: 'Home', level: 1 })
})

test('from the second step one can begin again', async () => {
  openConsole(
    '/sign-in',
    signInServer({}, () => ({
      post: { operator: null, secondStep: { ticket: 't1', hasTotp: false, passkeyOptions: null } },
    })),
  )
  await typePassword()
  await screen.findByLabelText('Recovery code')
  await userEvent.click(screen.getByRole('button', { name: 'Start over' }))
  await screen.findByLabelText('Password')
})

test('an instance without an owner explains the one-time link', async () => {
  openConsole('/sign-in', {
    ...signInServer({}, () => ({})),
    '/console/api/setup': { get: { state: 'unclaimed', project: 'Corner Café' } },
  })
  await screen.findByRole('heading', { name: 'No owner yet' })
  expect(screen.queryByLabelText('Password')).toBeNull()
})

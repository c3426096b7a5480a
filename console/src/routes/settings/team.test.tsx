import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { access, operator, signedIn } from '../../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../../test/console.tsx'
import type { Member } from '../../lib/api/schemas.ts'

const at = '2026-01-02T03:04:05.000Z'
const members: Member[] = [
  { ...operator, createdAt: at, lastSeenAt: at, hasSecondFactor: true },
  {
    ...{ id: 'o2', name: 'Dev Eloper', email: 'dev@example.test', role: 'developer' },
    ...{ createdAt: at, lastSeenAt: null, hasSecondFactor: false },
  },
]
const invited = { id: 'i1', email: 'new@example.test', role: 'analyst', invitedBy: operator.email } as const
const answers: Answers = {
  ...signedIn,
  '/console/api/access': { get: access },
  '/console/api/team': {
    get: { members, invitations: [{ ...invited, createdAt: at, expiresAt: '2099-01-02T03:04:05.000Z' }] },
  },
  '/console/api/team/invitations/{id}': { delete: null },
  '/console/api/team/members/{id}': { patch: null, delete: null },
}

const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))

test('operators, their roles and the invited are on one page', async () => {
  const { asked } = openConsole('/settings/team', answers)
  const list = within(await screen.findByRole('list', { name: 'Operators' }))
  expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Olga Owner.*owner.*you.*last seen/),
    expect.stringMatching(/^Dev Eloper.*developer.*not signed in · password only/),
  ])
  const open = within(screen.getByRole('list', { name: 'Invited' }))
  expect(open.getByText('new@example.test')).toBeTruthy()
  await userEvent.click(open.getByRole('button', { name: 'Withdraw the invitation of new@example.test' }))
  await expect.poll(() => asked).toContain('DELETE /team/invitations/i1')
})

test('an invitation asks for a proof of identity, then shows its link once', async () => {
  let isProven = false
  const sent: unknown[] = []
  openConsole('/settings/team', {
    ...answers,
    '/console/api/access/proof': {
      post: () => {
        isProven = true
        return new Response(null, { status: 204 })
      },
    },
    '/console/api/team/invitations': {
      post: async (request) => {
        if (!isProven) return refuse(403, 'CLEW_OPERATORS_PROOF_NEEDED', 'Prove that it is you.')()
        sent.push(await request.json())
        return Response.json({ url: 'https://x.test/console/join#t', expiresAt: at, isMailed: false }, { status: 201 })
      },
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Invite' }))
  const invite = await dialog('Invite to the team')
  await userEvent.type(invite.getByLabelText('Email'), 'bo@example.test')
  await userEvent.selectOptions(invite.getByLabelText('Role'), 'analyst')
  await userEvent.click(invite.getByRole('button', { name: 'Invite' }))
  const proof = await dialog('Confirm it’s you')
  await userEvent.type(proof.getByLabelText('Password'), 'a password')
  await userEvent.click(proof.getByRole('button', { name: 'Confirm' }))
  const link = await dialog('The link for bo@example.test')
  expect(link.getByText('https://x.test/console/join#t')).toBeTruthy()
  expect(link.getByText(/hand the link over yourself/)).toBeTruthy()
  expect(sent).toEqual([{ email: 'bo@example.test', role: 'analyst' }])
})

test('a role is changed, and an operator removed after a second press', async () => {
  const { asked } = openConsole('/settings/team', answers)
  const open = async () => {
    await userEvent.click(await screen.findByRole('button', { name: 'Change Dev Eloper' }))
    return dialog('Dev Eloper')
  }
  const first = await open()
  await userEvent.selectOptions(first.getByLabelText('Role'), 'viewer')
  await userEvent.click(first.getByRole('button', { name: 'Save the role' }))
  await expect.poll(() => asked).toContain('PATCH /team/members/o2')
  const second = await open()
  await userEvent.click(second.getByRole('button', { name: 'Remove' }))
  expect(asked).not.toContain('DELETE /team/members/o2')
  await userEvent.click(second.getByRole('button', { name: 'Remove for good' }))
  await expect.poll(() => asked).toContain('DELETE /team/members/o2')
})

test('an operator is removed without their address in the audit log, where that is ticked', async () => {
  const erased: (string | null)[] = []
  openConsole('/settings/team', {
    ...answers,
    '/console/api/team/members/{id}': {
      delete: (request) => {
        erased.push(new URL(request.url).searchParams.get('erase'))
        return new Response(null, { status: 204 })
      },
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Change Dev Eloper' }))
  const member = await dialog('Dev Eloper')
  await userEvent.click(member.getByRole('button', { name: 'Remove' }))
  await userEvent.click(member.getByRole('checkbox', { name: /^Without their email there/ }))
  await userEvent.click(member.getByRole('button', { name: 'Remove for good' }))
  await expect.poll(() => erased).toEqual(['true'])
})

test('the last owner stays, and is told why', async () => {
  openConsole('/settings/team', {
    ...answers,
    '/console/api/team/members/{id}': {
      patch: refuse(409, 'CLEW_OPERATORS_LAST_OWNER', 'The console would be without an owner.'),
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Change Olga Owner' }))
  const own = await dialog('Olga Owner')
  await userEvent.selectOptions(own.getByLabelText('Role'), 'viewer')
  await userEvent.click(own.getByRole('button', { name: 'Save the role' }))
  await own.findByText(/would be without an owner/)
})

test('a developer sees the team and changes nothing; a viewer is told', async () => {
  const developer = openConsole('/settings/team', {
    ...answers,
    '/console/api/session': { get: { operator: { ...operator, role: 'developer' } } },
  })
  await screen.findByText('Dev Eloper')
  expect(screen.queryByRole('button', { name: /Invite|Change|Withdraw/ })).toBeNull()
  developer.close()
  openConsole('/settings/team', {
    ...answers,
    '/console/api/team': { get: refuse(403, 'CLEW_OPERATORS_FORBIDDEN', 'Your role does not allow this.') },
  })
  await screen.findByText('Your role does not allow this.')
})

const joining: Answers = {
  ...signedIn,
  '/console/api/session': { get: refuse(401, 'CLEW_OPERATORS_SIGNED_OUT', 'Signed out.') },
  '/console/api/setup': { get: { state: 'claimed', project: 'Café' } },
}

test('an invited person makes their account by the link, whose token no address has', async () => {
  const sent: unknown[] = []
  const { at: place, asked } = openConsole('/join#tok', {
    ...joining,
    '/console/api/invitation': { post: { email: 'bo@example.test', role: 'analyst', invitedBy: operator.email } },
    '/console/api/invitation/account': {
      post: async (request) => {
        sent.push(await request.json())
        return Response.json({ operator: { ...operator, name: 'Bo', role: 'analyst' } }, { status: 201 })
      },
    },
  })
  await screen.findByText(/olga@example.test invites bo@example.test, as analyst/)
  await userEvent.type(screen.getByLabelText('Name'), 'Bo')
  await userEvent.type(screen.getByLabelText('Password'), 'a good password')
  await userEvent.click(screen.getByRole('button', { name: 'Join' }))
  await expect.poll(place).toBe('/')
  expect(sent).toEqual([{ token: 'tok', name: 'Bo', password: 'a good password' }])
  expect(asked.filter((each) => each.includes('tok'))).toEqual([])
})

test('a link that is over leads to the sign-in', async () => {
  openConsole('/join#tok', {
    ...joining,
    '/console/api/invitation': { post: refuse(410, 'CLEW_OPERATORS_INVITATION_OVER', 'It has been used.') },
  })
  await screen.findByRole('heading', { name: 'This invitation is over' })
  expect(screen.getByRole('link', { name: 'Sign in' })).toBeTruthy()
})

test('a link that has lost its token is not asked for', async () => {
  const { asked } = openConsole('/join', joining)
  await screen.findByRole('heading', { name: 'This link is not whole' })
  expect(asked.filter((each) => each.includes('invitation'))).toEqual([])
})

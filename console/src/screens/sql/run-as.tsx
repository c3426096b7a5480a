import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { UserSummary } from '../../lib/api/schemas.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { usersMatchingQuery } from './queries.ts'

type Claims = Readonly<Record<string, unknown>> | null

interface RunAsProps {
  /** The owner first. */
  readonly roles: readonly string[]
  readonly role: string
  readonly claims: Claims
  readonly onChange: (role: string, claims: Claims) => void
}

/** The role that statements run as, and the claims that policies read. */
export function RunAs({ roles, role, claims, onChange }: RunAsProps) {
  const [isOpen, setOpen] = useState(false)
  const isOwner = role === roles[0]
  return (
    <>
      <Select
        label="Run as"
        value={role}
        options={roles.map((name) => ({ value: name, label: name }))}
        onChange={(next) => onChange(next, next === roles[0] ? null : claims)}
        className="mono max-w-40"
      />
      {!isOwner && (
        <Button look="bare" aria-pressed={claims !== null} onClick={() => setOpen(true)}>
          {claims === null ? 'Claims…' : 'With claims'}
        </Button>
      )}
      <ClaimsDialog
        key={String(isOpen)}
        open={isOpen}
        role={role}
        claims={claims}
        onSave={(next) => {
          onChange(role, next)
          setOpen(false)
        }}
        onClose={() => setOpen(false)}
      />
    </>
  )
}

interface ClaimsDialogProps extends Pick<RunAsProps, 'role' | 'claims'> {
  readonly open: boolean
  readonly onSave: (claims: Claims) => void
  readonly onClose: () => void
}

function ClaimsDialog({ open, role, claims, onSave, onClose }: ClaimsDialogProps) {
  const [text, setText] = useState(JSON.stringify(claims ?? { sub: '', role }, null, 2))
  const read = readClaims(text)
  return (
    <Dialog open={open} onClose={onClose} title="Claims of the caller">
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (read !== undefined) onSave(read)
        }}
      >
        <p className="text-ink-2">
          What stands in a token: <span className="mono">auth.uid()</span> is its <span className="mono">sub</span>, and
          policies read the rest with <span className="mono">auth.jwt()</span>.
        </p>
        <UserPicker onPick={(user) => setText(JSON.stringify(claimsOf(user, role), null, 2))} />
        <TextArea
          label="Claims, as JSON"
          value={text}
          onChange={(event) => setText(event.target.value)}
          problem={read === undefined ? 'Write an object of JSON, {"sub": "…"}.' : undefined}
        />
        <div className="flex justify-end gap-2">
          <Button onClick={() => onSave(null)}>Without claims</Button>
          <Button type="submit" look="primary" disabled={read === undefined}>
            Use these claims
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** What stands in the token of a user, as far as policies look. */
const claimsOf = ({ id, email, phone }: UserSummary, role: string) => ({
  sub: id,
  role,
  aud: 'authenticated',
  ...(email && { email }),
  ...(phone && { phone }),
})

/** Finds a user of the application, whose claims are taken over. */
function UserPicker({ onPick }: { readonly onPick: (user: UserSummary) => void }) {
  const [text, setText] = useState('')
  const { data } = useQuery({
    ...usersMatchingQuery(text),
    enabled: text.length > 1,
    placeholderData: keepPreviousData,
  })
  return (
    <div className="grid gap-1">
      <Field
        label="Act as a user"
        placeholder="Email, phone, name or id"
        value={text}
        autoComplete="off"
        onChange={(event) => setText(event.target.value)}
      />
      {text.length > 1 && data && (
        <ul aria-label="Users found" className="grid">
          {data.users.map((user) => (
            <li key={user.id}>
              <button
                type="button"
                className="flex h-8 w-full items-center gap-2 rounded-control px-2 text-left hover:bg-sunken"
                onClick={() => {
                  onPick(user)
                  setText('')
                }}
              >
                {user.email ?? user.phone ?? user.id}
                <span className="text-ink-2">{user.name}</span>
              </button>
            </li>
          ))}
          {data.users.length === 0 && <li className="px-2 text-ink-2">No such user.</li>}
        </ul>
      )}
    </div>
  )
}

function readClaims(text: string): Record<string, unknown> | undefined {
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? { ...read } : undefined
  } catch {
    return undefined
  }
}

import { useState } from 'react'
import type { UserSummary } from '../../lib/api/schemas.ts'
import { UserPicker } from '../../lib/users/user-picker.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Select } from '../../ui/field.tsx'
import { TextArea } from '../../ui/text-area.tsx'

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
        <UserPicker label="Act as a user" onPick={(user) => setText(JSON.stringify(claimsOf(user, role), null, 2))} />
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

function readClaims(text: string): Record<string, unknown> | undefined {
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? { ...read } : undefined
  } catch {
    return undefined
  }
}

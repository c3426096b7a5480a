import type { Flag } from '../../lib/api/schemas.ts'
import { Field, Select } from '../../ui/field.tsx'
import { Switch } from '../../ui/switch.tsx'

interface EarlyAccessProps {
  readonly draft: Flag
  readonly canChange: boolean
  readonly onChange: (change: Partial<Flag>) => void
}

const stages = [
  { value: 'concept', label: 'concept' },
  { value: 'alpha', label: 'alpha' },
  { value: 'beta', label: 'beta' },
  { value: 'general-availability', label: 'general availability' },
] as const

/** Whether users switch the flag on for themselves, and what they are told of it. */
export function EarlyAccess({ draft, canChange, onChange }: EarlyAccessProps) {
  const { earlyAccess, filters } = draft
  const isOn = filters.feature_enrollment === true
  const toggle = (on: boolean) =>
    onChange({
      filters: { ...filters, feature_enrollment: on },
      earlyAccess: on ? (earlyAccess ?? { name: draft.key, stage: 'beta', documentationUrl: null }) : null,
    })
  return (
    <>
      <div className="flex items-center justify-between gap-2">
        <span>Users switch it on for themselves</span>
        <Switch label="Users switch it on for themselves" on={isOn} disabled={!canChange} onToggle={toggle} />
      </div>
      {isOn && earlyAccess && (
        <>
          <Field
            label="Name that users see"
            value={earlyAccess.name}
            required
            maxLength={200}
            onChange={(event) => onChange({ earlyAccess: { ...earlyAccess, name: event.target.value } })}
          />
          <div className="flex items-center justify-between gap-2">
            <span>Stage</span>
            <Select
              label="Stage"
              value={earlyAccess.stage}
              options={stages}
              onChange={(stage) => onChange({ earlyAccess: { ...earlyAccess, stage } })}
            />
          </div>
          <Field
            label="Documentation"
            type="url"
            placeholder="https://…"
            value={earlyAccess.documentationUrl ?? ''}
            maxLength={2000}
            onChange={({ target: { value } }) =>
              onChange({ earlyAccess: { ...earlyAccess, documentationUrl: value === '' ? null : value } })
            }
          />
        </>
      )}
    </>
  )
}

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../lib/api/api.ts'
import { ApiError, errorText } from '../../lib/api/api-error.ts'
import type { CaptureSetting } from '../../lib/api/schemas.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { Tick } from '../../ui/tick.tsx'
import { draftOf, linesOf, selectorProblem, sentOf, shownLines } from './setting-text.ts'

interface SettingDialogProps {
  readonly setting: CaptureSetting
  /** What is shown may be outdated: a change was saved, or refused because of another one. */
  readonly onOutdated: () => void
  readonly onClose: () => void
}

/** Asks for another value of a setting. */
export function SettingDialog({ setting, onOutdated, onClose }: SettingDialogProps) {
  const { name, title, description, costs, value, form, changed } = setting
  const [openedWith] = useState(value)
  const [draft, setDraft] = useState(draftOf(value))
  const change = useMutation({
    mutationFn: (next: string | null) => api.changeCaptureSetting(name, { value: next, replaces: changed?.at ?? null }),
    onSuccess: onClose,
    onSettled: onOutdated,
  })
  const problem = selectorProblem(name, draft) ?? (change.error ? textOf(change.error, form.allowed) : undefined)
  return (
    <Dialog open onClose={onClose} title={title}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          change.mutate(sentOf(form.kind, draft))
        }}
      >
        <p className="text-ink-2">
          {description} {costs}
        </p>
        <ValueField
          setting={setting}
          draft={draft}
          problem={problem}
          onDraft={(next) => {
            setDraft(next)
            change.reset()
          }}
        />
        {value !== openedWith && <ChangedMeanwhile setting={setting} />}
        <p className="text-ink-2 text-sm">
          It holds for pages that are opened from now on; a browser that asked within the last minute may go by the
          earlier value.
        </p>
        <div className="flex flex-wrap gap-2">
          <Button
            type="submit"
            look="primary"
            disabled={draft === draftOf(value) || selectorProblem(name, draft) !== undefined || change.isPending}
          >
            Save
          </Button>
          {changed && (
            <Button disabled={change.isPending} onClick={() => change.mutate(null)}>
              Use the default
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  )
}

const textOf = (error: Error, allowed: string): string =>
  error instanceof ApiError && error.code === 'CLEW_CAPTURE_SETTING_VALUE'
    ? `${errorText(error)} Allowed: ${allowed}.`
    : errorText(error)

/** What another operator has saved since the dialog was opened: the draft stays, and would replace it. */
function ChangedMeanwhile({ setting: { value, unit, changed } }: Pick<SettingDialogProps, 'setting'>) {
  return (
    <p role="status" className="wrap-anywhere text-warn">
      {changed === null ? 'It was changed back to the default' : `${changed.by} has changed it`} meanwhile. It is now{' '}
      <span className="mono">{shownLines(value, unit).join(', ')}</span>; saving replaces that.
    </p>
  )
}

interface ValueFieldProps {
  readonly setting: CaptureSetting
  readonly draft: string
  readonly problem: string | undefined
  readonly onDraft: (draft: string) => void
}

const onOrOff = [
  { value: 'true', label: 'on' },
  { value: 'false', label: 'off' },
] as const

function ValueField({ setting: { title, form, unit }, draft, problem, onDraft }: ValueFieldProps) {
  const { kind, choices, allowed } = form
  if (kind === 'boolean' || kind === 'choice')
    return (
      <>
        <Choice label={title} value={draft} options={kind === 'boolean' ? onOrOff : choices} onChange={onDraft} />
        {problem && <Refusal text={problem} />}
      </>
    )
  if (kind === 'list' && choices.length > 0)
    return <Ticks title={title} choices={choices} draft={draft} problem={problem} onDraft={onDraft} />
  if (kind === 'list')
    return (
      <TextArea
        label={`${title}, one a line`}
        rows={5}
        value={draft}
        problem={problem}
        onChange={({ target }) => onDraft(target.value)}
      />
    )
  return (
    <Field
      label={unit === null ? title : `${title}, in ${unit}`}
      value={draft}
      hint={kind === 'number' ? `Allowed: ${allowed}.` : undefined}
      problem={problem}
      inputMode={kind === 'number' ? 'decimal' : 'text'}
      autoComplete="off"
      spellCheck={false}
      onChange={({ target }) => onDraft(target.value)}
    />
  )
}

interface TicksProps extends Pick<ValueFieldProps, 'draft' | 'problem' | 'onDraft'> {
  readonly title: string
  readonly choices: readonly string[]
}

/** Any of a few; their order is that of the choices. */
function Ticks({ title, choices, draft, problem, onDraft }: TicksProps) {
  const chosen = linesOf(draft)
  return (
    <fieldset className="grid gap-1">
      <legend className="pb-1 font-medium text-ink-2 text-sm">{title}</legend>
      {choices.map((choice) => (
        <Tick
          key={choice}
          label={choice}
          on={chosen.includes(choice)}
          onToggle={(on) =>
            onDraft(choices.filter((each) => (each === choice ? on : chosen.includes(each))).join('\n'))
          }
        />
      ))}
      {problem && <Refusal text={problem} />}
    </fieldset>
  )
}

function Refusal({ text }: { readonly text: string }) {
  return (
    <p role="alert" className="text-danger text-sm">
      {text}
    </p>
  )
}

import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { FlagFilters } from '../../lib/api/schemas.ts'
import { LineInput } from '../../lib/filters/line-input.tsx'
import { Button } from '../../ui/button.tsx'

interface VariantsEditorProps {
  readonly filters: FlagFilters
  readonly onChange: (filters: FlagFilters) => void
}

/** Variants with their shares and payloads; without one, the payload of `true`. */
export function VariantsEditor({ filters, onChange }: VariantsEditorProps) {
  const { payloads = {} } = filters
  const variants = filters.multivariate?.variants ?? []
  const setVariants = (next: typeof variants, sent = payloads) => {
    const keys = new Set(['true', ...next.map(({ key }) => key)])
    const kept = Object.fromEntries(Object.entries(sent).filter(([key]) => keys.has(key)))
    onChange({ ...filters, multivariate: next.length === 0 ? null : { variants: next }, payloads: kept })
  }
  const payloadOf = (key: string) => (
    <LineInput
      label={`Payload of ${key}, JSON`}
      value={payloads[key] ?? ''}
      className="mono min-w-44 flex-1"
      onChange={({ target: { value } }) => {
        const { [key]: _, ...others } = payloads
        onChange({ ...filters, payloads: value === '' ? others : { ...others, [key]: value } })
      }}
    />
  )
  const sum = variants.reduce((total, { rollout_percentage: share }) => total + share, 0)
  return (
    <section aria-label="Variants" className="grid gap-2 py-3">
      <header className="flex items-center gap-2">
        <h2 className="font-medium">Variants</h2>
        <span className="text-ink-2">
          {variants.length === 0
            ? 'none: the flag is on or off'
            : `${Math.round(sum * 100) / 100} % of those who match`}
        </span>
      </header>
      <ul className="grid gap-1.5">
        {variants.map((variant, index) => (
          <VariantRow
            // biome-ignore lint/suspicious/noArrayIndexKey: keys are what is typed here
            key={index}
            variant={variant}
            onChange={(next) => {
              const { [variant.key]: payload, ...others } = payloads
              setVariants(
                variants.map((one, place) => (place === index ? next : one)),
                payload === undefined ? others : { ...others, [next.key]: payload },
              )
            }}
            onRemove={() => setVariants(variants.filter((_, place) => place !== index))}
          >
            {payloadOf(variant.key)}
          </VariantRow>
        ))}
        {variants.length === 0 && <li className="flex">{payloadOf('true')}</li>}
      </ul>
      <div>
        <Button size="small" onClick={() => setVariants(withAnother(variants))}>
          Add a variant
        </Button>
      </div>
    </section>
  )
}

type Variant = NonNullable<FlagFilters['multivariate']>['variants'][number]

interface VariantRowProps {
  readonly variant: Variant
  readonly onChange: (variant: Variant) => void
  readonly onRemove: () => void
  /** Its payload. */
  readonly children: ReactNode
}

const VariantRow = ({ variant, onChange, onRemove, children }: VariantRowProps) => (
  <li className="flex flex-wrap items-center gap-1.5">
    <LineInput
      label="Key of the variant"
      value={variant.key}
      className="w-40"
      onChange={(event) => onChange({ ...variant, key: event.target.value })}
    />
    <LineInput
      label="Share in per cent"
      type="number"
      min={0}
      max={100}
      step="any"
      value={variant.rollout_percentage}
      className="tabular w-20 text-right"
      onChange={(event) => onChange({ ...variant, rollout_percentage: Number(event.target.value) })}
    />
    <span className="text-ink-2">%</span>
    {children}
    <Button look="bare" size="icon" aria-label={`Remove the variant ${variant.key}`} onClick={onRemove}>
      <X aria-hidden="true" className="size-3.5" />
    </Button>
  </li>
)

/** One more variant: shares that are even stay so, and beside others it has what they leave. */
function withAnother(variants: readonly Variant[]): Variant[] {
  const left = variants.reduce((rest, { rollout_percentage: share }) => rest - share, 100)
  const next = [...variants, { key: freeKey(variants.map(({ key }) => key)), rollout_percentage: Math.max(0, left) }]
  const isEven = variants.every(({ rollout_percentage: share }, index) => share === evenShare(index, variants.length))
  if (!isEven) return next
  return next.map((variant, index) => ({ ...variant, rollout_percentage: evenShare(index, next.length) }))
}

/** Of a variant among so many, in whole per cents that make up 100. */
const evenShare = (index: number, count: number): number =>
  Math.floor((100 * (index + 1)) / count) - Math.floor((100 * index) / count)

/** `control`, then `test`, then `test-2`. */
function freeKey(taken: readonly string[]): string {
  const wanted = ['control', 'test', ...taken.map((_, index) => `test-${index + 2}`)]
  return wanted.find((key) => !taken.includes(key)) ?? `test-${taken.length + 2}`
}

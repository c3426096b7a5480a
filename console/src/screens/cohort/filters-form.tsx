import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { DraftForm } from '../../drafts/draft-form.tsx'
import { useDraft } from '../../drafts/use-draft.ts'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import { cohortsQuery } from '../../lib/api/queries.ts'
import type { Cohort } from '../../lib/api/schemas.ts'
import { CountedPersons } from '../../lib/filters/counted-persons.tsx'
import { FilterRow } from '../../lib/filters/filter-row.tsx'
import { type ConditionFilter, newFilter } from '../../lib/filters/filter-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { cohortEstimateQuery } from './queries.ts'

interface FiltersFormProps {
  readonly cohort: Cohort
  readonly canChange: boolean
}

/** What makes a cohort, in PostHog's form; groups within it are kept as they are. */
interface Filters {
  readonly type?: 'AND' | 'OR'
  readonly values?: readonly (ConditionFilter | Filters)[]
}

const isGroup = (one: ConditionFilter | Filters): one is Filters => 'values' in one

const partNames = { name: 'name', filters: 'filters' }

/** The filters of a cohort, as a draft until they are saved, and how many stored persons they hold. */
export function FiltersForm({ cohort, canChange }: FiltersFormProps) {
  const queryClient = useQueryClient()
  const { draft, set, drafted } = useDraft(cohort, partNames)
  // The column holds what the console's API let in.
  const [stored, filters] = [cohort.filters as Filters, draft.filters as Filters]
  const { type = 'AND', values = [] } = filters
  const save = useMutation({
    mutationFn: () =>
      api.changeCohort(cohort.id, { name: draft.name, filters: { ...filters }, replaces: cohort.updatedAt }),
    // Another operator may have changed it, where it is refused.
    onSettled: () => queryClient.invalidateQueries({ queryKey: cohortsQuery.queryKey }),
  })
  const setFilters = (next: Filters) => set({ filters: next })
  const setValues = (next: typeof values) => setFilters({ ...filters, type, values: next })
  return (
    <DraftForm
      {...drafted}
      canChange={canChange}
      isSaving={save.isPending}
      problem={save.error ? errorText(save.error) : undefined}
      onSave={save.mutate}
      aside={
        <>
          <WhoIsIn filters={filters} stored={stored} />
          <fieldset disabled={!canChange}>
            <Field
              label="Name"
              value={draft.name}
              maxLength={200}
              required
              onChange={(event) => set({ name: event.target.value })}
            />
          </fieldset>
        </>
      }
    >
      <div className="grid min-w-0 content-start gap-2 py-3">
        <div className="flex items-center gap-2">
          <span>Persons for whom</span>
          <Select
            label="How filters are joined"
            value={type}
            options={[
              { value: 'AND', label: 'all of these hold' },
              { value: 'OR', label: 'any of these holds' },
            ]}
            onChange={(next) => setFilters({ ...filters, type: next })}
          />
        </div>
        <Members values={values} onChange={setValues} />
        <div>
          <Button size="small" onClick={() => setValues([...values, newFilter('person')])}>
            Add a filter
          </Button>
        </div>
      </div>
    </DraftForm>
  )
}

type Values = NonNullable<Filters['values']>

interface MembersProps {
  readonly values: Values
  readonly onChange: (values: Values) => void
}

function Members({ values, onChange }: MembersProps) {
  return (
    <ul className="grid gap-1.5">
      {values.map((value, index) =>
        isGroup(value) ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: filters have no name but their place
          <li key={index} className="mono text-ink-2">
            {JSON.stringify(value)}
          </li>
        ) : (
          <FilterRow
            // biome-ignore lint/suspicious/noArrayIndexKey: filters have no name but their place
            key={index}
            filter={value}
            types={['person', 'cohort']}
            onChange={(next) => onChange(values.map((one, place) => (place === index ? next : one)))}
            onRemove={() => onChange(values.filter((_, place) => place !== index))}
          />
        ),
      )}
    </ul>
  )
}

/** How many stored persons are in it, and some of them. */
function WhoIsIn({ filters, stored }: { readonly filters: Filters; readonly stored: Filters }) {
  const [asked, setAsked] = useState(stored)
  const { data, error, isFetching } = useQuery(cohortEstimateQuery({ ...asked }))
  return (
    <CountedPersons
      title="Who is in it"
      counted={data && { count: data.inside, asked: data.persons }}
      some={data?.some ?? []}
      error={error}
      isOld={JSON.stringify(asked) !== JSON.stringify(filters)}
      isCounting={isFetching}
      onCountAgain={() => setAsked(filters)}
    />
  )
}

import { useMemo } from 'react'
import type { ChartData, ChartLook } from '../../charts/chart-data.ts'
import { ChartTable } from '../../charts/chart-table.tsx'
import { XyChart } from '../../charts/xy-chart.tsx'
import type { WebVitals } from '../../lib/api/schemas.ts'
import { formatExact } from '../../ui/time-text.ts'
import { percentiles, type Vital } from './search.ts'

interface CourseChartProps {
  readonly course: WebVitals['course']
  readonly vital: Vital
  readonly look: ChartLook
  readonly onLook: (look: ChartLook) => void
}

/** The percentiles of one vital over the time. */
export function CourseChart({ course, vital, look, onLook }: CourseChartProps) {
  const data = useMemo(() => courseData(course, vital), [course, vital])
  const title = `${vital} over time`
  return (
    <div className="flex h-56 shrink-0 flex-col border-line border-b">
      <XyChart
        title={title}
        data={data}
        shape="lines"
        look={look}
        onLook={onLook}
        table={<ChartTable label={title} data={data} isSparse={false} />}
      />
    </div>
  )
}

/** The numbers of the chart: the percentiles are drawn, the views stand in the table and the file. */
function courseData(course: WebVitals['course'], vital: Vital): ChartData {
  const points = course.map(({ vitals }) => vitals.find((each) => each.vital === vital))
  return {
    along: 'Time',
    isTime: true,
    xs: course.map(({ at }) => Date.parse(at) / 1000),
    labels: course.map(({ at }) => formatExact(new Date(at))),
    series: [
      ...percentiles.map((name) => ({
        name,
        ...(vital !== 'CLS' && { unit: 'ms' as const }),
        values: points.map((point) => point?.percentiles[name]?.value ?? null),
      })),
      { name: 'views', isDrawn: false, values: points.map((point) => point?.views ?? 0) },
    ],
  }
}

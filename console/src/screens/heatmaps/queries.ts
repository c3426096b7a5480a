import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { Area, Device, HeatmapRange, PointKind } from './search.ts'

/** The views of a page that are meant. */
export interface PageViews {
  readonly page: string
  readonly device: Device
  readonly range: HeatmapRange
}

const staleTime = 30_000

/** A part of an address is a pattern. */
const patternOf = (text: string): string => (text.includes('*') || text === '' ? text : `*${text}*`)

/** Pages in whose address a text is, or that fit a pattern. */
export const heatmapPagesQuery = (text: string, range: HeatmapRange) =>
  queryOptions({
    queryKey: ['heatmap-pages', text, range],
    queryFn: ({ signal }) => {
      const pattern = patternOf(text.trim())
      return api.heatmapPages({ range, ...(pattern !== '' && { pattern }) }, { signal })
    },
    placeholderData: keepPreviousData,
    staleTime,
  })

export const heatmapQuery = (views: PageViews, kind: PointKind) =>
  queryOptions({
    queryKey: ['heatmap', views, kind],
    queryFn: ({ signal }) => api.heatmap({ ...views, kind }, { signal }),
    staleTime,
  })

export const scrollMapQuery = (views: PageViews) =>
  queryOptions({
    queryKey: ['scroll-map', views],
    queryFn: ({ signal }) => api.scrollMap(views, { signal }),
    staleTime,
  })

export const heatmapAreaQuery = (views: PageViews, kind: PointKind, area: Area, isFixed: boolean) =>
  queryOptions({
    queryKey: ['heatmap-area', views, kind, area, isFixed],
    queryFn: ({ signal }) => api.heatmapArea({ ...views, kind, ...area, fixed: isFixed }, { signal }),
    staleTime,
  })

/** What draws the page; the message that it takes is not compared with the one before. */
export const heatmapPictureQuery = (views: PageViews) =>
  queryOptions({
    queryKey: ['heatmap-picture', views],
    queryFn: ({ signal }) => api.heatmapPicture(views, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 5 * 60_000,
    retry: false,
    structuralSharing: false,
  })

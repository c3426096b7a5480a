export { type ExportOptions, exportProject } from './export/export-project.ts'
export type { ExportManifest } from './export/manifest.ts'
export { type ImportOptions, importDatabase } from './import/import-database.ts'
export { type ImportReport, renderReport } from './import/report.ts'

export { type ImportOptions, importDatabase } from './import/import-database.ts'
export { type ImportReport, renderReport } from './import/report.ts'

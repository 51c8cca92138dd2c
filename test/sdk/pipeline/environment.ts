export const url = process.env['BASE_URL'] ?? '';
export const token = process.env['TOKEN'] ?? '';

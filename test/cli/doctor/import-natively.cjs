/** Imports a module as Node.js does, without Vitest. */
module.exports = (url) => import(url)

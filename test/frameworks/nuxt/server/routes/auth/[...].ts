export default handler

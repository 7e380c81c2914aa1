export default ["driftline"];

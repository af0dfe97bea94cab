console.log(JSON.stringify(probed))

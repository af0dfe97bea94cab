const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

for (let step = 1; step <= 5; step++) {
  console.log(`step ${step} of 5`);
  await pause(300);
}
console.error("warnings go to standard error");

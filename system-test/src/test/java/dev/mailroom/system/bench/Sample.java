package dev.mailroom.system.bench;

/**
 * What one round of one row saw.
 *
 * @param count mails or rows
 * @param nanos from the first request to the last answer
 * @param cpuMicros that the programs under measure took, without client and sink
 */
record Sample(long count, long nanos, long cpuMicros) {

	double perSecond() {
		return this.count * 1e9 / this.nanos;
	}

	double cpuEach() {
		return (double) this.cpuMicros / this.count;
	}

}

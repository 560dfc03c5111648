package dev.mailroom.system.bench;

/**
 * What one round of one row saw.
 *
 * @param count mails or rows
 * @param nanos from the first request to the last answer
 * @param cpuMicros that the programs under measure took, without client and sink
 * @param databaseMicros how much of it was PostgreSQL's
 */
record Sample(long count, long nanos, long cpuMicros, long databaseMicros) {

	double perSecond() {
		return this.count * 1e9 / this.nanos;
	}

	double cpuEach() {
		return (double) this.cpuMicros / this.count;
	}

	double databaseCpuEach() {
		return (double) this.databaseMicros / this.count;
	}

}

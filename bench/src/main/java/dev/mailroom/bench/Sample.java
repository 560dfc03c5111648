package dev.mailroom.bench;

/**
 * Measurement of one round.
 *
 * @param count number of mails or rows
 * @param nanos time from the first request to the last response
 * @param cpuMicros CPU time of the measured programs, without client and sink
 * @param databaseMicros part of it used by PostgreSQL
 */
public record Sample(long count, long nanos, long cpuMicros, long databaseMicros) {

	public double perSecond() {
		return this.count * 1e9 / this.nanos;
	}

	public double cpuEach() {
		return (double) this.cpuMicros / this.count;
	}

	public double databaseCpuEach() {
		return (double) this.databaseMicros / this.count;
	}

}

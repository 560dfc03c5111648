package dev.mailroom.worker.upkeep;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.fleet.Worker;
import dev.mailroom.fleet.Workers;
import dev.mailroom.worker.Surroundings;
import dev.mailroom.worker.dispatch.Dispatcher;
import dev.mailroom.worker.send.LaneUse;
import dev.mailroom.worker.transport.DestinationActivity;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.support.GenericApplicationContext;

import static dev.mailroom.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

@Surroundings.WorkerAlone
class WorkerReportTest {

	private static final Duration TIMEOUT = Duration.ofSeconds(60);

	@Autowired
	Workers workers;

	@Autowired
	Dispatcher dispatcher;

	@Autowired
	LaneUse lanes;

	@Autowired
	DestinationActivity destinations;

	@Autowired
	NoArgGenerator ids;

	@Test
	void aWorkerReportsThatItDrainsFromTheBeginningOfItsShutdown() {
		// Identifies the row of this report among those of other workers.
		Instant startedAt = Instant.parse("2001-02-03T04:05:06Z");
		GenericApplicationContext closed = new GenericApplicationContext();
		WorkerReport report = new WorkerReport(this.workers, this.dispatcher, this.lanes, this.destinations, closed,
				this.ids, Clock.fixed(startedAt, ZoneOffset.UTC));
		report.report().block(TIMEOUT);
		Worker working = worker(startedAt);
		assertThat(working.draining()).isFalse();
		assertThat(working.lanes()).isEqualTo(40);
		assertThat(report.closing(new ContextClosedEvent(new GenericApplicationContext())).collectList().block(TIMEOUT))
			.isEmpty();
		Disposable reports = report.closing(new ContextClosedEvent(closed)).subscribe();
		Await.until("the report of the shutdown", TIMEOUT, () -> worker(startedAt).draining());
		report.destroy();
		Await.until("the end of the reports", TIMEOUT, reports::isDisposed);
		Given.run("update worker set seen_at = now() - interval '20 seconds' where started_at = '%s'", startedAt);
		assertThat(await(this.workers.list())).noneMatch((worker) -> worker.startedAt().equals(startedAt));
		Given.run("delete from worker where started_at = '%s'", startedAt);
	}

	private Worker worker(Instant startedAt) {
		return await(this.workers.list()).stream()
			.filter((worker) -> worker.startedAt().equals(startedAt))
			.findFirst()
			.orElseThrow();
	}

}

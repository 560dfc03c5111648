package dev.mailroom.worker.jobs;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;

import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.operator.Worker;
import dev.mailroom.operator.Workers;
import dev.mailroom.worker.Surroundings;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.event.ContextClosedEvent;

import static dev.mailroom.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

@Surroundings.WorkerAlone
class WorkerReportTest {

	private static final Duration TIMEOUT = Duration.ofSeconds(60);

	/** Identifies the row of the report among those of other workers. */
	private static final Instant STARTED_AT = Instant.parse("2001-02-03T04:05:06Z");

	@Autowired
	ApplicationContext context;

	@Autowired
	Workers workers;

	@Test
	void aWorkerReportsThatItDrainsFromTheBeginningOfItsShutdown() {
		try (AnnotationConfigApplicationContext worker = new AnnotationConfigApplicationContext()) {
			worker.setParent(this.context);
			worker.registerBean("clock", Clock.class, () -> Clock.fixed(STARTED_AT, ZoneOffset.UTC));
			worker.register(WorkerReport.class);
			worker.refresh();
			worker.getBean(WorkerReport.class).report();
			assertThat(worker().draining()).isFalse();
			assertThat(worker().senderThreads()).isEqualTo(40);
			worker.publishEvent(new ContextClosedEvent(worker));
			Await.until("the report of the shutdown", TIMEOUT, () -> worker().draining());
		}
		Given.run("update worker set seen_at = now() - interval '20 seconds' where started_at = '%s'", STARTED_AT);
		assertThat(await(this.workers.list())).noneMatch((worker) -> worker.startedAt().equals(STARTED_AT));
		Given.run("delete from worker where started_at = '%s'", STARTED_AT);
	}

	private Worker worker() {
		return await(this.workers.list()).stream()
			.filter((worker) -> worker.startedAt().equals(STARTED_AT))
			.findFirst()
			.orElseThrow();
	}

}

package dev.mailroom.worker.jobs;

import java.time.Duration;

import dev.mailroom.worker.report.TlsReportSender;
import dev.mailroom.worker.smtp.client.TlsSessions;

import org.springframework.stereotype.Component;

/** Sends reports about TLS, if this installation does. */
@Component
class TlsReportJob {

	private static final Duration INTERVAL = Duration.ofSeconds(10);

	TlsReportJob(Jobs jobs, TlsSessions sessions, TlsReportSender sender) {
		if (sessions.isOn()) {
			jobs.always("reports about TLS were sent", INTERVAL, sender::run);
		}
	}

}

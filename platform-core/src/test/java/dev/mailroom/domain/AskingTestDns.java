package dev.mailroom.domain;

import dev.mailroom.WithCore;
import dev.mailroom.mail.accept.TestBucket;

import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** Base of tests that use the test name server and the test bucket, in one context. */
@WithCore
public class AskingTestDns {

	protected static final TestDns DNS = new TestDns();

	protected static final TestBucket BUCKET = new TestBucket();

	@DynamicPropertySource
	static void useTestServers(DynamicPropertyRegistry registry) {
		registry.add("mailroom.dns-servers", DNS::address);
		registry.add("mailroom.blob.store", () -> "s3");
		registry.add("mailroom.blob.s3.endpoint", BUCKET::address);
		registry.add("mailroom.blob.s3.access-key", () -> "key");
		registry.add("mailroom.blob.s3.secret-key", () -> "secret");
		registry.add("mailroom.mx-host", () -> "mx.platform.test");
		registry.add("mailroom.spf-include", () -> "spf.platform.test");
		registry.add("mailroom.tracking-host", () -> "links.platform.test");
		registry.add("mailroom.report-domain", () -> "reports.platform.test");
	}

	protected static void publish(Domain domain) {
		domain.records().forEach((record) -> DNS.publish(record.type(), record.host(), record.value()));
	}

	static void unpublish(Domain domain) {
		domain.records().forEach((record) -> DNS.remove(record.type(), record.host()));
	}

}

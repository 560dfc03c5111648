package dev.mailroom.api.domain;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.mailroom.domain.DnsRecord;
import dev.mailroom.domain.Domain;
import dev.mailroom.source.SendingSources;
import org.jspecify.annotations.Nullable;

/** JSON form of a domain. */
record DomainView(UUID id, String name, String status, List<RecordView> records, boolean openTracking,
		boolean clickTracking, String transport, boolean requireTls,
		@JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String transactionalPool,
		@JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String campaignPool, Instant createdAt,
		@Nullable Instant verifiedAt) {

	/**
	 * The form of a domain.
	 * @param pools of its mail; null without any
	 */
	static DomainView of(Domain domain, SendingSources.@Nullable OfDomain pools) {
		return new DomainView(domain.id(), domain.name(), domain.status().contractName(),
				domain.records().stream().map(RecordView::of).toList(), domain.openTracking(), domain.clickTracking(),
				domain.transport().contractName(), domain.requireTls(), (pools != null) ? pools.transactional() : null,
				(pools != null) ? pools.campaign() : null, domain.createdAt(), domain.verifiedAt());
	}

	/** JSON form of a DNS record. */
	record RecordView(String purpose, String type, String host, String value,
			@JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer priority, String status,
			@JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String error) {

		static RecordView of(DnsRecord record) {
			return new RecordView(record.purpose().contractName(), record.type(), record.host(), record.value(),
					record.priority(), record.status().contractName(), record.error());
		}

	}

}

package dev.mailroom.blob;

import java.nio.file.Path;

import dev.mailroom.Allowed;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Storage of large content.
 *
 * @param beyond content larger than this is stored in the bucket
 */
@ConfigurationProperties("mailroom.blob")
record BlobSettings(@DefaultValue("postgresql") Store store,
		@DefaultValue("64KB") @Allowed(from = "1KB", to = "25MB", or = "0") DataSize beyond, @DefaultValue S3 s3) {

	/** The place of large content. */
	enum Store {

		/** The rows of the mail. */
		POSTGRESQL,

		/** A bucket with the API of S3. */
		S3

	}

	/**
	 * A bucket and its credentials.
	 *
	 * @param endpoint the server, such as https://host:port; empty for Amazon's server of
	 * the region
	 * @param pathStyle whether the name of the bucket is in the path instead of the host
	 * name
	 * @param caFile trusted certificates (PEM) in place of the public authorities
	 */
	record S3(@DefaultValue("") String endpoint, @DefaultValue("us-east-1") String region,
			@DefaultValue("mailroom") String bucket, @DefaultValue("") String accessKey,
			@DefaultValue("") String secretKey, @DefaultValue("true") boolean pathStyle, @Nullable Path caFile) {

		@Override
		public String toString() {
			return this.endpoint + "/" + this.bucket;
		}

	}

}

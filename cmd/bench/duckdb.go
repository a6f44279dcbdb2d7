package main

import "fmt"

// statements are the questions to DuckDB that come nearest to what knforensics
// is asked.
type statements struct{ ingest, timeline, reopen, detect string }

// columns are the members of an audit event that both read.
const columns = `level:'VARCHAR',auditID:'VARCHAR',stage:'VARCHAR',requestURI:'VARCHAR',verb:'VARCHAR',"user":'STRUCT(username VARCHAR, uid VARCHAR, groups VARCHAR[])',impersonatedUser:'STRUCT(username VARCHAR)',sourceIPs:'VARCHAR[]',userAgent:'VARCHAR',` +
	`objectRef:'STRUCT(resource VARCHAR, namespace VARCHAR, name VARCHAR, uid VARCHAR, apiGroup VARCHAR, apiVersion VARCHAR, resourceVersion VARCHAR, subresource VARCHAR)',responseStatus:'STRUCT(code INTEGER, status VARCHAR, reason VARCHAR, message VARCHAR)',` +
	`requestReceivedTimestamp:'TIMESTAMP',stageTimestamp:'TIMESTAMP',annotations:'MAP(VARCHAR,VARCHAR)'`

// selected are the same as columns of a table.
const selected = `level,auditID,stage,requestURI,verb,"user".username u,"user".uid uu,"user".groups gr,impersonatedUser.username iu,sourceIPs,userAgent,objectRef.resource,objectRef.namespace,objectRef.name,objectRef.uid,objectRef.apiGroup,objectRef.apiVersion,objectRef.resourceVersion,objectRef.subresource,` +
	`responseStatus.code,responseStatus.status,responseStatus.reason,responseStatus.message,requestReceivedTimestamp,stageTimestamp,annotations['authorization.k8s.io/decision'] d,annotations['authorization.k8s.io/reason'] ar`

// below asks whether a Revision was written Ready below its initial scale: of
// the questions that detectors ask the one that SQL can put most easily.
const below = `with e as (select stageTimestamp ts, objectRef.resource r, objectRef.namespace ns, objectRef.name n, responseObject ro from %s
  where responseStatus.code<300 and ((objectRef.resource='revisions' and objectRef.subresource='status') or objectRef.resource='deployments')),
d as (select ts, ns, replace(n,'-deployment','') rev, coalesce((ro->>'$.status.readyReplicas')::int,0) rr, (ro->>'$.metadata.annotations."autoscaling.knative.dev/initial-scale"')::int ini from e where r='deployments'),
s as (select ts, ns, n rev from e where r='revisions' and list_contains(list_transform(from_json(ro->'$.status.conditions','[{"type":"VARCHAR","status":"VARCHAR"}]'), lambda c: c.type||'='||c.status),'Ready=True'))
select s.ns, s.rev, s.ts, d.rr, d.ini from s asof join d on s.ns=d.ns and s.rev=d.rev and s.ts>=d.ts where d.rr<d.ini order by s.ts`

// askDuckDB returns the questions about a log, or the Parquet file that ingest
// makes of it, and the Revision of a name.
func askDuckDB(log, parquet, name string) statements {
	source := func(more string) string {
		return fmt.Sprintf(`read_json('%s',format='newline_delimited',maximum_object_size=33554432,columns={%s%s})`, log, columns, more)
	}
	return statements{
		ingest:   fmt.Sprintf(`copy (select %s from %s) to '%s' (format parquet, compression zstd)`, selected, source(""), parquet),
		timeline: fmt.Sprintf(`select stageTimestamp,verb,objectRef.resource,objectRef.name,responseStatus.code from %s where objectRef.name='%[2]s' or starts_with(objectRef.name,'%[2]s-') order by stageTimestamp`, source(""), name),
		reopen:   fmt.Sprintf(`select stageTimestamp,verb,resource,name,code from '%s' where name='%[2]s' or starts_with(name,'%[2]s-') order by stageTimestamp`, parquet, name),
		detect:   fmt.Sprintf(below, source(`,responseObject:'JSON',requestObject:'JSON'`)),
	}
}
